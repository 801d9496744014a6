import { Injectable } from '@nestjs/common';
import { toAssetRef } from '../../common/asset-ref.js';
import { AssetsRepository } from '../../assets/assets.repository.js';
import { searchTerms } from '../../assets/search.rules.js';
import type { ClientScope } from '../../access/principal.js';
import { decodeCursor, isTimeText, isUuidText, type Page, toPage } from '../../common/paging/page.js';
import type { Queries } from '../../database/queries.js';
import { Reads } from '../../database/reads.js';
import type { Channel } from '../../fitness/publishing-limits.js';
import { requireSurface } from '../../assets/surface-gate.rules.js';
import { type Candidate, CandidatesRepository, MAX_RANKED } from './candidates.repository.js';
import type { Wanted } from './candidates.statements.js';
import { DEFAULT_COUNT, MAX_COUNT, type PickDto } from './pick.dto.js';
import type { PickedAsset } from './picked-asset.js';
import { compareRanked, rank, type Ranked } from './pick.rules.js';

export type RankedPage = Page<Ranked<Candidate>> & {
  /** Whether more assets may match than were ranked. */
  readonly isPartial: boolean;
};

/** Finds the best assets for a purpose. */
@Injectable()
export class PickService {
  constructor(
    private readonly reads: Reads,
    private readonly candidates: CandidatesRepository,
    private readonly assets: AssetsRepository,
  ) {}

  async pick(scope: ClientScope, request: PickDto): Promise<PickedAsset[]> {
    requireSurface(scope.actor, request.surface);
    return this.reads.run(scope.clientId, 'heavy', async (queries) => {
      const ranked = await this.rank(queries, scope, wantedBy(request));
      const best = ranked.slice(0, request.count ?? DEFAULT_COUNT);
      const ids = best.map(({ id }) => id);
      const found = await this.assets.findMany(scope, ids, queries);
      const assets = new Map(found.map((asset) => [asset.id, asset]));
      // An asset may have been trashed since it was ranked.
      return best.flatMap(({ id, score, reasons }) => {
        const asset = assets.get(id);
        return asset ? [{ assetRef: toAssetRef(id), score, reasons, asset }] : [];
      });
    });
  }

  /** All ranked assets, page by page. With a channel, fitness means fitness for that channel. */
  async list(
    scope: ClientScope,
    wanted: Wanted,
    { limit, cursor, channel }: { limit: number; cursor?: string; channel?: Channel },
  ): Promise<RankedPage> {
    requireSurface(scope.actor, wanted.surface);
    const after = decodeCursor(cursor, isPosition);
    const ranked = await this.reads.run(scope.clientId, 'heavy', (queries) =>
      this.rank(queries, scope, wanted, channel),
    );
    const start = after === null ? null : { score: after[0], createdAt: new Date(after[1]), id: after[2] };
    const rest = start === null ? ranked : ranked.filter((one) => compareRanked(start, one) < 0);
    const page = toPage(rest, limit, ({ score, createdAt, id }) => [score, createdAt.toISOString(), id]);
    return { ...page, isPartial: ranked.length >= MAX_RANKED };
  }

  /** Assets with only some of the words are useful if too few have all of them. */
  private async rank(
    queries: Queries,
    scope: ClientScope,
    wanted: Wanted,
    channel?: Channel,
  ): Promise<Ranked<Candidate>[]> {
    let found = await this.candidates.find(scope, wanted, 'all', queries);
    if (found.length < MAX_COUNT && searchTerms(wanted.text ?? '').length > 1) {
      const known = new Set(found.map(({ id }) => id));
      const further = await this.candidates.find(scope, wanted, 'any', queries);
      found = [...found, ...further.filter(({ id }) => !known.has(id))];
    }
    if (channel) found = found.map((one) => ({ ...one, verdict: one.channels[channel] ?? one.verdict }));
    return rank(found, wanted);
  }
}

function wantedBy({
  surface,
  text,
  tags,
  unusedOnly,
  notUsedSince,
  orientation,
  mimeTypes,
}: PickDto): Wanted {
  return {
    surface,
    ...(text ? { text } : {}),
    ...(tags ? { tags } : {}),
    ...(unusedOnly ? { used: false } : {}),
    ...(notUsedSince ? { notUsedSince } : {}),
    ...(orientation ? { orientation } : {}),
    ...(mimeTypes ? { mimeTypes } : {}),
  };
}

function isPosition(value: unknown): value is [score: number, createdAt: string, id: string] {
  return (
    Array.isArray(value) &&
    value.length === 3 &&
    Number.isInteger(value[0]) &&
    isTimeText(value[1]) &&
    isUuidText(value[2])
  );
}
