/** What processes are told at commit, by channel. */
export const NOTIFICATIONS = `
  -- Changes to permissions. Inserts, a later expiry, and the last use of a key do not invalidate anything that could have been cached.
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
    WHEN ((OLD.id, OLD.name, OLD.key_hash, OLD.role, OLD.client_ids, OLD.expires_at, OLD.revoked_at, OLD.surfaces)
          IS DISTINCT FROM (NEW.id, NEW.name, NEW.key_hash, NEW.role, NEW.client_ids, NEW.expires_at, NEW.revoked_at, NEW.surfaces))
    EXECUTE FUNCTION notify_access_changes();
  CREATE TRIGGER sign_ins_access_changed AFTER UPDATE ON sign_ins FOR EACH ROW
    WHEN ((OLD.id, OLD.user_id, OLD.revoked_at) IS DISTINCT FROM (NEW.id, NEW.user_id, NEW.revoked_at)
          OR NEW.expires_at < OLD.expires_at)
    EXECUTE FUNCTION notify_access_changes();
  CREATE TRIGGER users_access_removed AFTER DELETE OR TRUNCATE ON users EXECUTE FUNCTION notify_access_changes();
  CREATE TRIGGER api_keys_access_removed AFTER DELETE OR TRUNCATE ON api_keys EXECUTE FUNCTION notify_access_changes();
  CREATE TRIGGER sign_ins_access_removed AFTER DELETE OR TRUNCATE ON sign_ins EXECUTE FUNCTION notify_access_changes();

  -- Changes in a client's library. A payload must be smaller than 8,000 bytes, so lists of more than 50 ids are omitted.
  CREATE FUNCTION notify_library_change(client text, kind text, ids json, folders json) RETURNS void LANGUAGE sql AS $$
    SELECT pg_notify('library_changes', json_build_object('transaction', pg_current_xact_id()::text, 'clientId', client,
      'kind', kind, 'ids', ids, 'folderIds', folders)::text)
  $$;

  CREATE FUNCTION notify_asset_changes() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'INSERT' THEN
      PERFORM notify_library_change(client_id, 'asset',
          CASE WHEN count(*) <= 50 THEN json_agg(id) END,
          CASE WHEN count(DISTINCT folder_id) < 50 THEN json_agg(DISTINCT folder_id) END)
        FROM added GROUP BY client_id;
    ELSE
      PERFORM notify_library_change(client_id, 'asset',
          CASE WHEN count(DISTINCT id) <= 50 THEN json_agg(DISTINCT id) END,
          CASE WHEN count(DISTINCT folder_id) < 50 THEN json_agg(DISTINCT folder_id) END)
        FROM (SELECT client_id, id, folder_id FROM added UNION SELECT client_id, id, folder_id FROM removed) AS changed
       GROUP BY client_id;
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER assets_added AFTER INSERT ON assets
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION notify_asset_changes();
  CREATE TRIGGER assets_changed AFTER UPDATE ON assets
    REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION notify_asset_changes();

  CREATE FUNCTION notify_folder_changes() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM notify_library_change(client_id, 'folder', CASE WHEN count(*) <= 50 THEN json_agg(id) END, NULL)
      FROM changed GROUP BY client_id;
    RETURN NULL;
  END $$;
  CREATE TRIGGER folders_added AFTER INSERT ON folders
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION notify_folder_changes();
  CREATE TRIGGER folders_changed AFTER UPDATE ON folders
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION notify_folder_changes();

  CREATE FUNCTION notify_trash_changes() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    -- What is being deleted for good has left the trash already.
    PERFORM notify_library_change(client_id, 'trash', NULL, NULL) FROM changed
      WHERE TG_OP <> 'DELETE' OR purging_since IS NULL GROUP BY client_id;
    RETURN NULL;
  END $$;
  CREATE TRIGGER trash_batches_added AFTER INSERT ON trash_batches
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION notify_trash_changes();
  CREATE TRIGGER trash_batches_changed AFTER UPDATE ON trash_batches
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION notify_trash_changes();
  CREATE TRIGGER trash_batches_removed AFTER DELETE ON trash_batches
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION notify_trash_changes();

  -- One at a time: the kind is the argument.
  CREATE FUNCTION notify_row_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM notify_library_change(NEW.client_id, TG_ARGV[0], json_build_array(NEW.id), NULL);
    RETURN NULL;
  END $$;
  CREATE TRIGGER deliveries_added AFTER INSERT ON deliveries FOR EACH ROW EXECUTE FUNCTION notify_row_change('delivery');
  -- A worker's heartbeat is no news.
  CREATE TRIGGER deliveries_changed AFTER UPDATE ON deliveries FOR EACH ROW
    WHEN ((OLD.status, OLD.attempts, OLD.error_code, OLD.error_detail, OLD.error_step, OLD.remote_id, OLD.remote_url)
          IS DISTINCT FROM (NEW.status, NEW.attempts, NEW.error_code, NEW.error_detail, NEW.error_step, NEW.remote_id, NEW.remote_url))
    EXECUTE FUNCTION notify_row_change('delivery');
  CREATE TRIGGER targets_changed AFTER INSERT OR UPDATE ON targets FOR EACH ROW EXECUTE FUNCTION notify_row_change('target');
`;
