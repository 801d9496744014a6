import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import type { Asset } from '../database/entities/asset.entity.js';
import { RenditionRecord } from '../database/entities/rendition.entity.js';

const FIRST_RETRY_SECONDS = 60;
const LAST_RETRY_SECONDS = 86_400;

@Injectable()
export class RenditionsRepository {
  constructor(private readonly database: Database) {}

  find(assetId: string, name: string): Promise<RenditionRecord | null> {
    return this.database.manager.findOneBy(RenditionRecord, { assetId, name });
  }

  /** Takes the making of it for a while; false when someone else has it, or it failed too recently. */
  async take(asset: Asset, name: string, seconds: number, lost = false): Promise<boolean> {
    const rows = await this.database.manager.query<unknown[]>(
      `INSERT INTO renditions (client_id, asset_id, name, status, hold_until)
       VALUES ($1, $2, $3, 'making', now() + make_interval(secs => $4))
       ON CONFLICT (asset_id, name) DO UPDATE SET status = 'making', hold_until = excluded.hold_until, updated_at = now()
         WHERE (renditions.status <> 'ready' OR $5) AND coalesce(renditions.hold_until < now(), true)
       RETURNING 1`,
      [asset.clientId, asset.id, name, seconds, lost],
    );
    return rows.length === 1;
  }

  async renew(assetId: string, names: readonly string[], seconds: number): Promise<void> {
    await this.database.manager.query(
      `UPDATE renditions SET hold_until = now() + make_interval(secs => $3)
        WHERE asset_id = $1 AND name = ANY($2) AND status = 'making'`,
      [assetId, names, seconds],
    );
  }

  async setReady(assetId: string, name: string, made: { sha256: string; sizeBytes: number }): Promise<void> {
    await this.database.manager.query(
      `UPDATE renditions SET status = 'ready', sha256 = $3, size_bytes = $4, failure = NULL, failures = 0, hold_until = NULL,
          updated_at = now() WHERE asset_id = $1 AND name = $2`,
      [assetId, name, made.sha256, made.sizeBytes],
    );
  }

  /** Remembers why; tried again later and later. */
  async setFailed(assetId: string, name: string, failure: string): Promise<void> {
    await this.database.manager.query(
      `UPDATE renditions SET status = 'failed', failure = $3, failures = failures + 1, updated_at = now(),
          hold_until = now() + make_interval(secs => least($4 * 2 ^ failures, $5)) WHERE asset_id = $1 AND name = $2`,
      [assetId, name, failure, FIRST_RETRY_SECONDS, LAST_RETRY_SECONDS],
    );
  }

  /** Nothing is wrong with the file: the next one may try at once. */
  async giveBack(assetId: string, name: string): Promise<void> {
    await this.database.manager.query(
      `DELETE FROM renditions WHERE asset_id = $1 AND name = $2 AND status = 'making'`,
      [assetId, name],
    );
  }
}
