import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ValidateDeliveriesByLease1766600100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE deliveries VALIDATE CONSTRAINT deliveries_running');
  }

  /** A validated constraint is not a problem for the previous version. */
  async down(): Promise<void> {}
}
