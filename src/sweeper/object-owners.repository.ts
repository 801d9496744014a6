import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { parseKey } from '../storage/object-key.js';

/** Knows which objects a record owns. */
@Injectable()
export class ObjectOwnersRepository {
  constructor(private readonly database: Database) {}

  /** Those of the keys that are of our making and that no record owns; keys of others are never among them. */
  async findUnowned(keys: readonly string[]): Promise<string[]> {
    const ours = keys.flatMap((key) => {
      const parsed = parseKey(key);
      return parsed === null ? [] : [{ key, ...parsed }];
    });
    const uploads = ours.flatMap((item) => (item.kind === 'upload' ? [item.sessionId] : []));
    const assets = ours.flatMap((item) => (item.kind === 'upload' ? [] : [item.assetId]));
    const [openSessions, attempts] = await Promise.all([
      this.findOpenSessions(uploads),
      this.findAttempts(assets),
    ]);
    return ours
      .filter((item) => {
        if (item.kind === 'upload') return !openSessions.has(item.sessionId);
        const owned = attempts.get(item.assetId);
        return item.kind === 'original' ? !owned?.has(item.attempt) : owned === undefined;
      })
      .map(({ key }) => key);
  }

  async findClientIds(): Promise<string[]> {
    const rows = await this.database.manager.query<{ id: string }[]>('SELECT id FROM clients ORDER BY id');
    return rows.map(({ id }) => id);
  }

  /** In order of their ids, a page at a time. */
  findAssets(
    clientId: string,
    afterId: string | null,
    take: number,
  ): Promise<{ id: string; attempt: string }[]> {
    return this.database.manager.query(
      `SELECT id, attempt FROM assets
        WHERE client_id = $1 AND id > coalesce($2::uuid, '00000000-0000-0000-0000-000000000000') ORDER BY id LIMIT $3`,
      [clientId, afterId, take],
    );
  }

  private async findOpenSessions(ids: readonly string[]): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    const rows = await this.database.manager.query<{ id: string }[]>(
      `SELECT id FROM upload_sessions WHERE id = ANY($1::uuid[]) AND status IN ('pending', 'finalizing')`,
      [ids],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Attempts that are kept by an asset, or being verified right now. */
  private async findAttempts(assetIds: readonly string[]): Promise<Map<string, Set<string>>> {
    const attempts = new Map<string, Set<string>>();
    if (assetIds.length === 0) return attempts;
    const rows = await this.database.manager.query<{ id: string; attempt: string }[]>(
      `SELECT id, attempt FROM assets WHERE id = ANY($1::uuid[])
       UNION ALL
       SELECT asset_id, attempt FROM upload_sessions WHERE asset_id = ANY($1::uuid[]) AND status = 'finalizing'`,
      [assetIds],
    );
    for (const { id, attempt } of rows) attempts.set(id, (attempts.get(id) ?? new Set()).add(attempt));
    return attempts;
  }
}
