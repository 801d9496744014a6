export const CONTROL_DATA = 'pg_control_system()';

/**
 * SQL for what differs between a database and all its copies, except physical ones: a copy made with a dump is in another cluster, or at
 * least another database, and its tables have other oids.
 */
export const DATABASE_IDENTITY = identityOf(`(SELECT system_identifier FROM ${CONTROL_DATA})`);

/** `systemIdentifier` is NULL if the role may not read it. The oids alone almost always differ. */
export function identityOf(systemIdentifier: string): string {
  return `concat_ws('/', ${systemIdentifier}, (SELECT oid FROM pg_database WHERE datname = current_database()), 'installation'::regclass::oid)`;
}
