import { Injectable } from '@nestjs/common';
import { AssetListingRepository } from '../../assets/asset-listing.repository.js';
import { isManyFolders, type Place, type Statement } from '../../assets/asset-listing.statements.js';
import type { InClient } from '../../access/principal.js';
import type { Queries } from '../../database/queries.js';
import { surfaceFitness } from '../../fitness/fitness.rules.js';
import type { SurfaceFitness } from '../../database/entities/asset.entity.js';
import type { SupportedMime } from '../../media/file-types.js';
import {
  isIndexed,
  matchingStatement,
  newestStatement,
  type Wanted,
  type WordRule,
} from './candidates.statements.js';
import type { Rankable } from './pick.rules.js';

export interface Candidate extends Rankable {
  readonly mimeType: SupportedMime;
  readonly sizeBytes: number;
  readonly width: number;
  readonly height: number;
  readonly durationMs: number | null;
  readonly channels: SurfaceFitness['channels'];
  /** The number of uses on the surface. */
  readonly uses: number;
}

/** The maximum number of assets that are ranked. */
export const MAX_RANKED = 200;

/** How many of the newest assets are searched first, and at most if these contain too few matches. */
const SEARCHED_FIRST = 5_000;
const SEARCHED_AT_MOST = 20_000;
const ENOUGH = 50;

/** Fitness is null until it is computed. */
type CandidateRow = Omit<Candidate, 'verdict' | 'channels'> & {
  readonly [Field in 'verdict' | 'channels']: Candidate[Field] | null;
};

/** Finds the assets to rank, at a cost that hardly depends on the size of the library. */
@Injectable()
export class CandidatesRepository {
  constructor(private readonly listing: AssetListingRepository) {}

  /** The newest matches, at most `MAX_RANKED`. */
  async find(
    { clientId }: InClient,
    wanted: Wanted,
    words: WordRule,
    queries: Queries,
  ): Promise<Candidate[]> {
    const { place, size } = await this.listing.findLive({ clientId }, queries);
    const rows = await this.findRows(queries, clientId, place, size, wanted, words);
    return rows.map((row) => toCandidate(row, wanted));
  }

  private async findRows(
    queries: Queries,
    clientId: string,
    place: Place,
    size: number,
    wanted: Wanted,
    words: WordRule,
  ): Promise<CandidateRow[]> {
    const newest = (bound: number) =>
      select(queries, newestStatement(clientId, place, wanted, words, { bound, max: MAX_RANKED }));
    const matching = () =>
      select(queries, matchingStatement(clientId, place, wanted, words, { max: MAX_RANKED }));
    // If the trash is large, a small library is read by its live folders.
    if (size <= SEARCHED_FIRST) return isManyFolders(place) ? matching() : newest(SEARCHED_FIRST);
    const rows = await newest(SEARCHED_FIRST);
    if (rows.length >= ENOUGH) return rows;
    if (await this.isRare(queries, clientId, place, wanted, words)) return matching();
    return newest(SEARCHED_AT_MOST);
  }

  /** Whether the indexes find few assets. The other filters do not count: they have no index and are checked for each asset found. */
  private async isRare(
    queries: Queries,
    clientId: string,
    place: Place,
    { surface, text, tags, mimeTypes }: Wanted,
    words: WordRule,
  ): Promise<boolean> {
    const indexed = { surface, text, tags, mimeTypes };
    if (!isIndexed(indexed)) return false;
    const bounds = { bound: SEARCHED_FIRST, max: ENOUGH };
    return (await select(queries, newestStatement(clientId, place, indexed, words, bounds))).length < ENOUGH;
  }
}

function select(queries: Queries, { sql, values }: Statement): Promise<CandidateRow[]> {
  return queries.query<CandidateRow[]>(sql, values);
}

function toCandidate({ verdict, channels, ...row }: CandidateRow, { surface }: Wanted): Candidate {
  const fitness =
    verdict && channels ? { verdict, channels } : surfaceFitness({ ...row, mediaFacts: null }, surface);
  return {
    ...row,
    verdict: fitness.verdict,
    channels: fitness.channels,
    // A post can be announced a few minutes before its time.
    lastUsedDays: row.lastUsedDays && Math.max(0, row.lastUsedDays),
  };
}
