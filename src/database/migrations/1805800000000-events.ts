import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Audit events and changes become one table of events in commit order. Audit events from before have no position. */
export class Events1805800000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE audit_events RENAME TO events;
      ALTER TABLE events RENAME CONSTRAINT audit_events_pkey TO events_pkey;
      ALTER TABLE events RENAME CONSTRAINT audit_events_client_id_fkey TO events_client_id_fkey;
      ALTER TABLE events ADD COLUMN position bigint,
        ALTER COLUMN actor_kind DROP NOT NULL, ALTER COLUMN actor_name DROP NOT NULL, ALTER COLUMN subject_id DROP NOT NULL,
        ADD CONSTRAINT events_audited_or_changed CHECK (CASE WHEN actor_kind IS NULL THEN action = subject_kind || '.changed'
          ELSE actor_name IS NOT NULL AND subject_id IS NOT NULL END);
      DROP INDEX audit_events_by_client, audit_events_by_subject;
      CREATE INDEX events_by_client ON events (client_id, id DESC) WHERE actor_kind IS NOT NULL;
      CREATE INDEX events_by_subject ON events (client_id, subject_id, id) WHERE actor_kind IS NOT NULL;
      CREATE INDEX events_changes ON events (position) WHERE actor_kind IS NULL;

      -- Numbers events at commit. The lock is held until the transaction has ended, so the order of positions is the order of commits.
      CREATE SEQUENCE events_position_seq OWNED BY events.position;
      CREATE FUNCTION number_event() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_advisory_xact_lock(hashtextextended('events', 0));
        UPDATE events SET position = nextval('events_position_seq') WHERE id = NEW.id;
        PERFORM pg_notify('events', '');
        RETURN NULL;
      END $$;
      CREATE CONSTRAINT TRIGGER events_in_commit_order AFTER INSERT ON events
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION number_event();

      -- The triggers on the tables of the library call this once per statement and client.
      CREATE OR REPLACE FUNCTION notify_library_change(client text, kind text, ids json, folders json) RETURNS void LANGUAGE sql AS $$
        INSERT INTO events (id, client_id, action, subject_kind, after)
          VALUES (gen_random_uuid(), client, kind || '.changed', kind, jsonb_build_object('ids', ids, 'folderIds', folders))
      $$;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION notify_library_change(client text, kind text, ids json, folders json) RETURNS void LANGUAGE sql AS $$
        SELECT pg_notify('library_changes', json_build_object('transaction', pg_current_xact_id()::text, 'clientId', client,
          'kind', kind, 'ids', ids, 'folderIds', folders)::text)
      $$;
      DROP TRIGGER events_in_commit_order ON events;
      DROP FUNCTION number_event();
      DROP INDEX events_by_client, events_by_subject, events_changes;
      DELETE FROM events WHERE actor_kind IS NULL;
      ALTER TABLE events DROP COLUMN position, DROP CONSTRAINT events_audited_or_changed,
        ALTER COLUMN actor_kind SET NOT NULL, ALTER COLUMN actor_name SET NOT NULL, ALTER COLUMN subject_id SET NOT NULL;
      ALTER TABLE events RENAME CONSTRAINT events_client_id_fkey TO audit_events_client_id_fkey;
      ALTER TABLE events RENAME CONSTRAINT events_pkey TO audit_events_pkey;
      ALTER TABLE events RENAME TO audit_events;
      CREATE INDEX audit_events_by_client ON audit_events (client_id, id DESC);
      CREATE INDEX audit_events_by_subject ON audit_events (client_id, subject_id, id);
    `);
  }
}
