import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ValidateRenditionStatus1766200100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE renditions VALIDATE CONSTRAINT renditions_status_check');
  }

  /** A validated constraint is not a problem for the previous version. */
  async down(): Promise<void> {}
}
