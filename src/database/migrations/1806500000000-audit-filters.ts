import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Audit events are also listed by actor and by action, of one client and of all, and by subject whatever the client. Only the last statement keeps readers waiting. */
export class AuditFilters1806500000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX events_by_actor ON events (actor_id, id) WHERE actor_kind IS NOT NULL;
      CREATE INDEX events_by_action ON events (action, id) WHERE actor_kind IS NOT NULL;
      CREATE INDEX events_by_client_and_actor ON events (client_id, actor_id, id) WHERE actor_kind IS NOT NULL;
      CREATE INDEX events_by_client_and_action ON events (client_id, action, id) WHERE actor_kind IS NOT NULL;
      ALTER INDEX events_by_subject RENAME TO events_by_client_and_subject;
      CREATE INDEX events_by_subject ON events (subject_id, client_id, id) WHERE actor_kind IS NOT NULL;
      DROP INDEX events_by_client_and_subject;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX events_by_subject;
      CREATE INDEX events_by_subject ON events (client_id, subject_id, id) WHERE actor_kind IS NOT NULL;
      DROP INDEX events_by_actor, events_by_action, events_by_client_and_actor, events_by_client_and_action;
    `);
  }
}
