import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What happened to one asset, and the last name of what has been deleted. */
export class AuditBySubject1805300000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX audit_events_by_subject ON audit_events (client_id, subject_id, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX audit_events_by_subject');
  }
}
