import { Injectable } from '@nestjs/common';
import type { ClientScope } from '../access/principal.js';
import { violatesForeignKey } from '../common/errors/database-errors.js';
import { Problem } from '../common/errors/problem.js';
import { allowedOn } from '../database/allowed-on.js';
import { Database, type PreparedQuery } from '../database/database.js';
import type { Asset, StoredAsset } from '../database/entities/asset.entity.js';
import { RenditionRecord } from '../database/entities/rendition.entity.js';
import { liveAsset, restorableAsset } from '../database/live.js';
import type { MadeRendition } from './rendition-maker.js';

/** The fields of an asset that are needed to show it. */
export type ShownAsset = StoredAsset & Pick<Asset, 'title' | 'version'>;

/** An asset and the state of one of its renditions; null if it was never requested. */
export interface Shown {
  readonly asset: ShownAsset;
  readonly state: RenditionState | null;
}

/** Names an asset within its client. */
type AssetKey = Pick<Asset, 'clientId' | 'id'>;

/** The state of a rendition. */
export type RenditionState = Pick<RenditionRecord, 'status' | 'sha256' | 'sizeBytes' | 'failure' | 'isHeld'>;

/** One round trip for an asset and its rendition. */
const findAssetThat = (name: string, condition: string): PreparedQuery => ({
  name,
  text: `SELECT a.id, a.client_id AS "clientId", a.attempt, a.title, a.version, a.original_filename AS "originalFilename",
                a.mime_type AS "mimeType", a.size_bytes::float8 AS "sizeBytes", a.sha256,
                r.status, r.sha256 AS "madeSha256", r.size_bytes::float8 AS "madeBytes", r.failure,
                coalesce(r.hold_until > clock_timestamp(), false) AS "isHeld"
           FROM assets a LEFT JOIN renditions r ON r.client_id = a.client_id AND r.asset_id = a.id AND r.name = $3
          WHERE a.client_id = $1 AND a.id = $2 AND ($4::text[] IS NULL OR ${allowedOn('$4', 'a')}) AND ${condition}`,
});
const FIND_SHOWN = findAssetThat('find-shown', liveAsset('a'));
const FIND_TRASHED = findAssetThat('find-trashed', restorableAsset('a'));

const FIND_SETTLED = {
  name: 'find-settled-renditions',
  text: `SELECT name FROM renditions
          WHERE client_id = $1 AND asset_id = $2 AND name = ANY($3) AND (status = 'ready' OR hold_until > now())`,
};

/** Ordered by name, so that two callers that take the same ones never deadlock. */
const TAKE = {
  name: 'take-renditions',
  text: `INSERT INTO renditions (client_id, asset_id, name, status, hold_until)
         SELECT $1, $2, name, 'making', now() + make_interval(secs => $4) FROM unnest($3::text[]) AS name ORDER BY name
         ON CONFLICT (asset_id, name) DO UPDATE SET status = 'making', hold_until = excluded.hold_until, updated_at = now()
           WHERE (renditions.status <> 'ready' OR $5) AND coalesce(renditions.hold_until < now(), true)
         RETURNING name`,
};

const SET_READY = {
  name: 'set-renditions-ready',
  text: `UPDATE renditions SET status = 'ready', sha256 = made.sha256, size_bytes = made.size_bytes, failure = NULL, failures = 0, kills = 0,
            hold_until = NULL, updated_at = now()
           FROM unnest($3::text[], $4::text[], $5::bigint[]) AS made (name, sha256, size_bytes)
          WHERE renditions.client_id = $1 AND renditions.asset_id = $2 AND renditions.name = made.name`,
};

/** Without a rendition, everything about it is null, but `isHeld` false. */
interface ShownRow extends ShownAsset {
  status: RenditionRecord['status'] | null;
  madeSha256: string | null;
  madeBytes: number | null;
  failure: string | null;
  isHeld: boolean;
}

const FIRST_RETRY_SECONDS = 60;
const LAST_RETRY_SECONDS = 86_400;

@Injectable()
export class RenditionsRepository {
  constructor(private readonly database: Database) {}

  /** A live asset that the caller's surfaces allow, and the state of its rendition with this name. */
  findShown(scope: ClientScope, assetId: string, name: string): Promise<Shown | null> {
    return this.findOne(FIND_SHOWN, scope, assetId, name);
  }

  /** The same for an asset that can be restored from the trash. */
  findTrashed(scope: ClientScope, assetId: string, name: string): Promise<Shown | null> {
    return this.findOne(FIND_TRASHED, scope, assetId, name);
  }

  private async findOne(
    query: PreparedQuery,
    { clientId, actor }: ClientScope,
    assetId: string,
    name: string,
  ): Promise<Shown | null> {
    const [row] = await this.database.find<ShownRow>(query, [clientId, assetId, name, actor.surfaces]);
    if (!row) return null;
    const { status, madeSha256, madeBytes, failure, isHeld, ...asset } = row;
    return {
      asset,
      state: status && { status, sha256: madeSha256, sizeBytes: madeBytes, failure, isHeld },
    };
  }

  find({ clientId, id: assetId }: AssetKey, name: string): Promise<RenditionRecord | null> {
    return this.database.manager.findOneBy(RenditionRecord, { clientId, assetId, name });
  }

  /** Takes the locks for making them; returns the names of those that nobody else is making and that did not fail recently. */
  async takeMissing(
    asset: StoredAsset,
    names: readonly string[],
    seconds: number,
    lost: boolean,
  ): Promise<string[]> {
    const rows = await this.database
      .find<{ name: string }>(TAKE, [asset.clientId, asset.id, names, seconds, lost])
      .catch((error: unknown) => {
        // Purged while someone was waiting for its preview.
        throw violatesForeignKey(error) ? new Problem('asset_not_found') : error;
      });
    return rows.map(({ name }) => name);
  }

  /** The names of the renditions that are ready, are being made, or failed too recently. */
  async findSettled({ clientId, id }: AssetKey, names: readonly string[]): Promise<string[]> {
    const rows = await this.database.find<{ name: string }>(FIND_SETTLED, [clientId, id, names]);
    return rows.map(({ name }) => name);
  }

  /** The names of the renditions that have an object or may soon have one. */
  async findStored({ clientId, id }: AssetKey): Promise<string[]> {
    const rows = await this.database.manager.query<{ name: string }[]>(
      `SELECT name FROM renditions WHERE client_id = $1 AND asset_id = $2 AND status NOT IN ('failed', 'killed')`,
      [clientId, id],
    );
    return rows.map(({ name }) => name);
  }

  async delete({ clientId, id: assetId }: AssetKey, name: string): Promise<void> {
    await this.database.manager.delete(RenditionRecord, { clientId, assetId, name });
  }

  /** False if somebody who took one over has finished it, or failed. */
  async renew({ clientId, id }: AssetKey, names: readonly string[], seconds: number): Promise<boolean> {
    const [, count] = await this.database.manager.query<[unknown, number]>(
      `UPDATE renditions SET hold_until = now() + make_interval(secs => $4)
        WHERE client_id = $1 AND asset_id = $2 AND name = ANY($3) AND status = 'making'`,
      [clientId, id, names, seconds],
    );
    return count === names.length;
  }

  async setReady({ clientId, id }: AssetKey, made: readonly MadeRendition[]): Promise<void> {
    const columns = [made.map(({ name }) => name), made.map(({ sha256 }) => sha256)];
    const sizes = made.map(({ sizeBytes }) => sizeBytes);
    await this.database.find(SET_READY, [clientId, id, ...columns, sizes]);
  }

  /** Records the cause. Retries become less and less frequent. What someone else has made in the meantime stays. */
  async setFailed({ clientId, id }: AssetKey, name: string, failure: string): Promise<void> {
    await this.database.manager.query(
      `UPDATE renditions SET status = 'failed', failure = $4, failures = failures + 1, updated_at = now(),
          hold_until = now() + make_interval(secs => least($5 * 2 ^ failures, $6))
        WHERE client_id = $1 AND asset_id = $2 AND name = $3 AND status = 'making'`,
      [clientId, id, name, failure, FIRST_RETRY_SECONDS, LAST_RETRY_SECONDS],
    );
  }

  /**
   * Not the fault of the file, so the next request can retry, unless the decoders of this asset were killed `most` times: then nobody does
   * for `pauseSeconds`.
   */
  async setKilled(
    { clientId, id }: AssetKey,
    names: readonly string[],
    most: number,
    pauseSeconds: number,
  ): Promise<void> {
    await this.database.manager.query(
      `WITH all_of_asset AS (
         SELECT kills FROM renditions WHERE client_id = $1 AND asset_id = $2 ORDER BY name FOR UPDATE),
       all_kills AS (SELECT sum(kills) + 1 AS count FROM all_of_asset)
       UPDATE renditions SET status = 'killed', updated_at = now(),
           kills = kills + CASE WHEN name = $4 THEN 1 ELSE 0 END,
           hold_until = CASE WHEN all_kills.count >= $5 THEN now() + make_interval(secs => $6) END
         FROM all_kills
        WHERE client_id = $1 AND asset_id = $2 AND (name = ANY($3) AND status = 'making' OR status = 'killed')`,
      [clientId, id, names, names[0], most, pauseSeconds],
    );
  }

  /**
   * The file is not at fault, so the next request can retry immediately. The record stays, so that purging finds what may have been stored.
   */
  async release({ clientId, id }: AssetKey, name: string): Promise<void> {
    await this.database.manager.query(
      `UPDATE renditions SET hold_until = NULL
        WHERE client_id = $1 AND asset_id = $2 AND name = $3 AND status = 'making'`,
      [clientId, id, name],
    );
  }
}
