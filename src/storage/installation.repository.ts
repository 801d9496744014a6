import { Injectable } from '@nestjs/common';
import { newId } from '../common/ids.js';
import { Database } from '../database/database.js';
import { migrations } from '../database/migrations/index.js';
import { CONTROL_DATA, DATABASE_IDENTITY, identityOf } from './database-identity.js';
import type { InstallationRecord } from './control.rules.js';

const MIGRATIONS = migrations.map(({ name }) => name);

export interface ControlTimes {
  /** How long control must have been held before it counts. */
  readonly holdSeconds: number;
  /** How old a nonce becomes. */
  readonly advanceSeconds: number;
}

/** The single row that describes the installation, and the database it is in. */
@Injectable()
export class InstallationRepository {
  private identity: string | null = null;

  constructor(private readonly database: Database) {}

  async findOrCreateId(): Promise<string> {
    // Two statements: if two processes start at the same time, a single statement would not see the other's row.
    await this.query('INSERT INTO installation (id) VALUES ($1) ON CONFLICT DO NOTHING', [newId()]);
    const [row] = await this.query<{ id: string }>('SELECT id FROM installation');
    return row!.id;
  }

  /** Null before anything has been uploaded. Notices if the server was restarted or is another one: control is then held from now on. */
  async find({ holdSeconds, advanceSeconds }: ControlTimes): Promise<InstallationRecord | null> {
    const identity = await this.databaseIdentity();
    const [row] = await this.query<InstallationRecord & { isSameServer: boolean }>(
      `SELECT id, nonce, next_nonce AS "nextNonce",
              coalesce(database_identity = ${identity}, false) AS "isFamiliar",
              coalesce(server_started_at = pg_postmaster_start_time(), false) AS "isSameServer",
              coalesce(held_since <= clock_timestamp() - make_interval(secs => $1), false) AS "isHeld",
              coalesce(advanced_at >= held_since + make_interval(secs => $1), false) AS "hasAdvanced",
              coalesce(advanced_at <= clock_timestamp() - make_interval(secs => $2), true) AS "isDue",
              EXISTS (SELECT 1 FROM migrations WHERE name <> ALL($3)) AS "isNewerSchema"
         FROM installation`,
      [holdSeconds, advanceSeconds, MIGRATIONS],
    );
    if (row === undefined) return null;
    const { isSameServer, ...record } = row;
    if (isSameServer || !record.isFamiliar) return record;
    await this.query(
      `UPDATE installation SET server_started_at = pg_postmaster_start_time(), held_since = clock_timestamp()
        WHERE database_identity = ${identity} AND server_started_at <> pg_postmaster_start_time()`,
    );
    return { ...record, isHeld: false };
  }

  /**
   * The first nonce of a bucket that nobody uses: null in a copy of a database. If several processes claim the bucket, all get the same
   * one. A new installation has held it forever.
   */
  async prepareFirst(nonce: string): Promise<string | null> {
    const identity = await this.databaseIdentity();
    return this.nextNonce(
      `UPDATE installation
          SET next_nonce = coalesce(next_nonce, $1), database_identity = ${identity}, server_started_at = pg_postmaster_start_time(),
              held_since = CASE WHEN nonce IS NULL THEN to_timestamp(0) ELSE clock_timestamp() END
        WHERE database_identity IS NULL OR database_identity = ${identity}
        RETURNING next_nonce`,
      [nonce],
    );
  }

  /**
   * The nonce after `current`. Another process, or one that has crashed, may have stored one already, which may be in the marker: it then
   * stays. Null if the situation has changed.
   */
  async prepareNext(current: string | null, nonce: string): Promise<string | null> {
    return this.nextNonce(
      `UPDATE installation SET next_nonce = coalesce(next_nonce, $2)
        WHERE nonce IS NOT DISTINCT FROM $1 AND database_identity = ${await this.databaseIdentity()}
          AND server_started_at = pg_postmaster_start_time()
        RETURNING next_nonce`,
      [current, nonce],
    );
  }

  /** The nonce of a claim. Never one that is already stored: in a copy, the original may know it too. */
  async prepareClaim(nonce: string): Promise<void> {
    await this.query('UPDATE installation SET next_nonce = $1, held_since = clock_timestamp()', [nonce]);
  }

  /** The marker says so. */
  async promote(nonce: string): Promise<void> {
    await this.query(
      `UPDATE installation SET nonce = $1, next_nonce = NULL, advanced_at = clock_timestamp() WHERE next_nonce = $1`,
      [nonce],
    );
  }

  /** This database now controls the bucket, whatever it controlled before. */
  async completeClaim(nonce: string): Promise<void> {
    await this.query(
      `UPDATE installation SET nonce = $1, next_nonce = NULL, advanced_at = clock_timestamp(), held_since = now(),
          database_identity = ${await this.databaseIdentity()}, server_started_at = pg_postmaster_start_time()`,
      [nonce],
    );
  }

  private async nextNonce(sql: string, values: unknown[]): Promise<string | null> {
    // For an UPDATE, TypeORM returns the rows and their number.
    const [rows] = (await this.query(sql, values)) as unknown as [{ next_nonce: string }[], number];
    return rows[0]?.next_nonce ?? null;
  }

  /** Every role may read the control data, unless a provider has revoked it. */
  private async databaseIdentity(): Promise<string> {
    if (this.identity !== null) return this.identity;
    const [row] = await this.query<{ allowed: boolean }>(
      `SELECT has_function_privilege('${CONTROL_DATA}', 'EXECUTE') AS allowed`,
    );
    return (this.identity = row!.allowed ? DATABASE_IDENTITY : identityOf('NULL'));
  }

  private query<Row>(sql: string, values: unknown[] = []): Promise<Row[]> {
    return this.database.manager.query<Row[]>(sql, values);
  }
}
