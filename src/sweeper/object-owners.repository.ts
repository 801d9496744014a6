import { Injectable } from '@nestjs/common';
import type { InClient } from '../access/principal.js';
import { Database } from '../database/database.js';
import { parseKey, type ParsedKey } from '../storage/object-key.js';

/**
 * What the database knows about an object with one of our keys.
 * - `owned`: a record needs it.
 * - `recorded`: no record needs it, and an ended upload session shows that this database wrote it.
 * - `unrecorded`: this database never knew it, or no longer does.
 * - `unknown_client`: not even its client is known. Never delete it.
 */
export type Ownership = 'owned' | 'recorded' | 'unrecorded' | 'unknown_client';

interface AssetRecord {
  assetId: string;
  clientId: string;
  attempt: string | null;
  /** The id of the session; `asset` for the asset itself. */
  status: string;
}

/** Determines which objects have an owner. */
@Injectable()
export class ObjectOwnersRepository {
  constructor(private readonly database: Database) {}

  /** The keys without an owner. Skips those of unknown clients and those that our key builder cannot make. */
  async findUnowned(keys: readonly string[]): Promise<string[]> {
    const found = await this.classify(keys);
    return keys.filter((key) => ['recorded', 'unrecorded'].includes(found.get(key) ?? ''));
  }

  /** Keys that our key builder cannot make are skipped. */
  async classify(keys: readonly string[]): Promise<Map<string, Ownership>> {
    const ours = keys.flatMap((key) => {
      const parsed = parseKey(key);
      return parsed === null ? [] : [{ key, parsed }];
    });
    const uploads = ours.flatMap(({ parsed }) => (parsed.kind === 'upload' ? [parsed.sessionId] : []));
    const assets = ours.flatMap(({ parsed }) => (parsed.kind === 'upload' ? [] : [parsed.assetId]));
    const [clients, sessions, records] = await Promise.all([
      this.findClients(ours.map(({ parsed }) => parsed.clientId)),
      this.findSessions(uploads),
      this.findRecords(assets),
    ]);
    const ownership = (parsed: ParsedKey): Ownership => {
      if (!clients.has(parsed.clientId)) return 'unknown_client';
      if (parsed.kind !== 'upload') return assetOwnership(parsed, records.get(parsed.assetId) ?? []);
      const session = sessions.get(parsed.sessionId);
      if (session === undefined) return 'unrecorded';
      return isOpen(session.status) ? 'owned' : 'recorded';
    };
    return new Map(ours.map(({ key, parsed }) => [key, ownership(parsed)]));
  }

  /**
   * The longest time, in seconds, for which the database had no new record when these objects were written. A writer inserts its records
   * first, so a long gap means that they are missing. Ids are ordered by time, so no further index is needed. Adopted assets do not count:
   * they fill the gap only for themselves.
   */
  async findLongestSilence(writtenAt: readonly Date[]): Promise<number> {
    const [row] = await this.database.manager.query<{ seconds: number | null }[]>(
      `SELECT max(extract(epoch FROM written_at - coalesce(greatest(
           (SELECT created_at FROM upload_sessions WHERE id <= last_id ORDER BY id DESC LIMIT 1),
           (SELECT created_at FROM assets WHERE id <= last_id AND session_id <> id ORDER BY id DESC LIMIT 1)), to_timestamp(0))))::float8 AS seconds
         FROM (SELECT written_at, (lpad(to_hex(floor(extract(epoch FROM written_at) * 1000)::bigint), 12, '0')
                 || 'ffffffffffffffffffff')::uuid AS last_id
                 FROM unnest($1::timestamptz[]) AS written_at) AS written`,
      [writtenAt],
    );
    return row?.seconds ?? 0;
  }

  /** Ordered by id, one page at a time. */
  async findClientIds(afterId: string, take: number): Promise<string[]> {
    const rows = await this.database.manager.query<{ id: string }[]>(
      'SELECT id FROM clients WHERE id > $1 ORDER BY id LIMIT $2',
      [afterId, take],
    );
    return rows.map(({ id }) => id);
  }

  /** Ordered by id, one page at a time. */
  findAssets(
    { clientId }: InClient,
    afterId: string | null,
    take: number,
  ): Promise<{ id: string; attempt: string }[]> {
    return this.database.manager.query(
      `SELECT id, attempt FROM assets
        WHERE client_id = $1 AND id > coalesce($2::uuid, '00000000-0000-0000-0000-000000000000') ORDER BY id LIMIT $3`,
      [clientId, afterId, take],
    );
  }

  private async findClients(ids: readonly string[]): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    const rows = await this.database.manager.query<{ id: string }[]>(
      'SELECT id FROM clients WHERE id = ANY($1::text[])',
      [[...new Set(ids)]],
    );
    return new Set(rows.map(({ id }) => id));
  }

  private async findSessions(ids: readonly string[]): Promise<Map<string, { status: string }>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database.manager.query<{ id: string; status: string }[]>(
      'SELECT id, status FROM upload_sessions WHERE id = ANY($1::uuid[])',
      [ids],
    );
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** One statement: an upload that is finalized at the same time must be seen as a session or as an asset. */
  private async findRecords(assetIds: readonly string[]): Promise<Map<string, AssetRecord[]>> {
    const records = new Map<string, AssetRecord[]>();
    if (assetIds.length === 0) return records;
    const rows = await this.database.manager.query<AssetRecord[]>(
      `SELECT id AS "assetId", client_id AS "clientId", attempt, 'asset' AS status FROM assets WHERE id = ANY($1::uuid[])
       UNION ALL
       SELECT asset_id, client_id, attempt, status FROM upload_sessions WHERE asset_id = ANY($1::uuid[])`,
      [assetIds],
    );
    for (const row of rows) records.set(row.assetId, [...(records.get(row.assetId) ?? []), row]);
    return records;
  }
}

/** An asset owns its attempt and all its renditions, as does a session while it is being finalized. */
function assetOwnership(
  key: Extract<ParsedKey, { kind: 'original' | 'rendition' }>,
  records: readonly AssetRecord[],
): Ownership {
  const matching = records.filter(({ attempt }) => key.kind === 'rendition' || attempt === key.attempt);
  if (matching.some(({ status }) => status === 'asset' || status === 'finalizing')) return 'owned';
  // The session shows that there was an asset, which has been purged.
  return matching.some(({ status, clientId }) => status === 'finalized' && clientId === key.clientId)
    ? 'recorded'
    : 'unrecorded';
}

function isOpen(status: string): boolean {
  return status === 'pending' || status === 'finalizing';
}
