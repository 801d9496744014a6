import type { AssetListQuery } from '../../assets/asset-list.query.js';
import {
  isManyFolders,
  type Place,
  type Statement,
  StatementBuilder,
} from '../../assets/asset-listing.statements.js';
import { ORIENTATION, type Orientation } from '../../assets/orientation.js';
import { searchTerms } from '../../assets/search.rules.js';
import type { Surface } from '../../database/entities/asset.entity.js';
import type { SupportedMime } from '../../media/file-types.js';

/** The conditions for an asset to be ranked. */
export interface Wanted {
  readonly surface: Surface;
  readonly text?: string;
  readonly tags?: readonly string[];
  readonly mimeTypes?: readonly SupportedMime[];
  readonly orientation?: Orientation;
  /** Whether it has been used on the surface. */
  readonly used?: boolean;
  /** It has not been used on the surface since then. */
  readonly notUsedSince?: Date;
}

/** Whether an asset must contain every word of the text, or any of them. */
export type WordRule = 'all' | 'any';

/** Whether the indexes find these assets without scanning all of them. */
export function isIndexed({ text, tags, mimeTypes }: Wanted): boolean {
  return searchTerms(text ?? '').length > 0 || Boolean(tags?.length) || Boolean(mimeTypes?.length);
}

/** The newest `max` matches among the newest `bound` assets. Stops reading when it has enough. */
export function newestStatement(
  clientId: string,
  place: Place,
  wanted: Wanted,
  words: WordRule,
  { bound, max }: { bound: number; max: number },
): Statement {
  const build = new CandidateBuilder(clientId);
  const conditions = build.conditions(wanted, words, false);
  const within = `${build.live()} AND ${build.place(place)} ORDER BY created_at DESC, id DESC LIMIT ${build.parameter(bound)}`;
  // If the trash is large, only the index is read until the folder is known to be live.
  const newest = isManyFolders(place)
    ? `(SELECT id AS entry_id FROM assets WHERE ${within}) AS entry
         CROSS JOIN LATERAL (SELECT * FROM assets WHERE id = entry_id OFFSET 0) AS asset`
    : `(SELECT * FROM assets WHERE ${within}) AS asset`;
  return build.described(
    wanted.surface,
    `SELECT asset.* FROM ${newest} WHERE ${conditions} ORDER BY created_at DESC, id DESC LIMIT ${build.parameter(max)}`,
  );
}

/** The newest `max` matches among all assets, found with the indexes. */
export function matchingStatement(
  clientId: string,
  place: Place,
  wanted: Wanted,
  words: WordRule,
  { max }: { max: number },
): Statement {
  const build = new CandidateBuilder(clientId);
  const conditions = build.conditions(wanted, words, true);
  return build.described(
    wanted.surface,
    `SELECT assets.* FROM (
       WITH matches AS MATERIALIZED (
         SELECT id, created_at FROM assets WHERE ${build.live()} AND ${build.place(place)} AND ${conditions})
       SELECT id AS match_id FROM matches ORDER BY created_at DESC, id DESC LIMIT ${build.parameter(max)}) AS match
       JOIN assets ON assets.id = match_id`,
  );
}

class CandidateBuilder extends StatementBuilder {
  conditions(wanted: Wanted, words: WordRule, large: boolean): string {
    const { surface, mimeTypes, orientation } = wanted;
    const text = words === 'all' ? wanted.text : undefined;
    const filters = { surface, q: text, tags: wanted.tags } as AssetListQuery;
    const parts = this.filters(filters, large);
    if (words === 'any') {
      const any = searchTerms(wanted.text ?? '').map((term) => this.term(term, large));
      if (any.length > 0) parts.push(`(${any.join(' OR ')})`);
    }
    if (mimeTypes?.length) parts.push(`mime_type = ANY(${this.parameter(mimeTypes)}::text[])`);
    if (orientation) parts.push(`${ORIENTATION} = ${this.parameter(orientation)}`);
    if (wanted.used !== undefined) parts.push(this.usedOn(surface, wanted.used));
    if (wanted.notUsedSince) parts.push(this.usedOn(surface, false, wanted.notUsedSince));
    return parts.join(' AND ');
  }

  /** The columns are renamed so that `id` means the asset's. OFFSET keeps it a lookup for each asset that passes the other filters. */
  private usedOn(surface: Surface, used: boolean, since?: Date): string {
    const recent = since ? `AND used_time >= ${this.parameter(since)}` : '';
    return `${used ? '' : 'NOT '}EXISTS (
      SELECT 1 FROM (SELECT client_id AS user_client, asset_id AS used_asset, surface AS used_on, used_at AS used_time FROM usages) AS usage
       WHERE user_client = $1 AND used_asset = id AND used_on = ${this.parameter(surface)} ${recent} OFFSET 0)`;
  }

  /** The values for ranking, for each of the assets. */
  described(surface: Surface, assets: string): Statement {
    const on = this.parameter(surface);
    return this.statement(
      `SELECT id, title, description, alt_text AS "altText", tags, original_filename AS "originalFilename", mime_type AS "mimeType",
           size_bytes::float8 AS "sizeBytes", width, height, duration_ms::float8 AS "durationMs", created_at AS "createdAt",
           fitness -> ${on}::text ->> 'verdict' AS verdict, fitness -> ${on}::text -> 'channels' AS channels,
           uses, days AS "lastUsedDays"
         FROM (${assets}) AS candidate
        CROSS JOIN LATERAL (
          SELECT count(DISTINCT (kind, coalesce(post_id, external_id)))::int AS uses, floor(extract(epoch FROM now() - max(used_at)) / 86400)::int AS days
            FROM usages WHERE usages.client_id = $1 AND usages.asset_id = candidate.id AND usages.surface = ${on}) AS usage`,
    );
  }
}
