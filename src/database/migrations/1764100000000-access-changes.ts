import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Notifies every process, at commit, of changes to permissions. Inserts, a later expiry, and the last use of a key do
 * not invalidate anything that could have been cached.
 */
export class AccessChanges1764100000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION notify_access_changes() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_notify('access_changes', '');
        RETURN NULL;
      END $$;

      CREATE TRIGGER users_access_changed AFTER UPDATE ON users FOR EACH ROW
        WHEN ((OLD.id, OLD.email, OLD.name, OLD.role, OLD.client_ids, OLD.is_active)
              IS DISTINCT FROM (NEW.id, NEW.email, NEW.name, NEW.role, NEW.client_ids, NEW.is_active))
        EXECUTE FUNCTION notify_access_changes();
      CREATE TRIGGER api_keys_access_changed AFTER UPDATE ON api_keys FOR EACH ROW
        WHEN ((OLD.id, OLD.name, OLD.key_hash, OLD.role, OLD.client_ids, OLD.expires_at, OLD.revoked_at)
              IS DISTINCT FROM (NEW.id, NEW.name, NEW.key_hash, NEW.role, NEW.client_ids, NEW.expires_at, NEW.revoked_at))
        EXECUTE FUNCTION notify_access_changes();
      CREATE TRIGGER sign_ins_access_changed AFTER UPDATE ON sign_ins FOR EACH ROW
        WHEN ((OLD.id, OLD.user_id, OLD.revoked_at) IS DISTINCT FROM (NEW.id, NEW.user_id, NEW.revoked_at)
              OR NEW.expires_at < OLD.expires_at)
        EXECUTE FUNCTION notify_access_changes();

      CREATE TRIGGER users_access_removed AFTER DELETE OR TRUNCATE ON users EXECUTE FUNCTION notify_access_changes();
      CREATE TRIGGER api_keys_access_removed AFTER DELETE OR TRUNCATE ON api_keys EXECUTE FUNCTION notify_access_changes();
      CREATE TRIGGER sign_ins_access_removed AFTER DELETE OR TRUNCATE ON sign_ins EXECUTE FUNCTION notify_access_changes();
    `);
  }

  /** Running processes notice within seconds that the function is gone, and cache nothing from then on. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION notify_access_changes() CASCADE');
  }
}
