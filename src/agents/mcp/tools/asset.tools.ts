import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { ClientScope } from '../../../access/principal.js';
import { Problem } from '../../../common/errors/problem.js';
import { type Asset, type Surface, SURFACES } from '../../../database/entities/asset.entity.js';
import { channelFitness, surfaceFitness } from '../../../fitness/fitness.rules.js';
import type { Channel } from '../../../fitness/publishing-limits.js';
import { contentTypeOf } from '../../../preview/rendition.rules.js';
import { PreviewReader } from '../../../preview/preview-reader.js';
import { UsageDto } from '../../../usages/usages.dto.js';
import { AssetsService } from '../../../assets/assets.service.js';
import { AgentAssets, requireAll, type ResolvedRef } from '../../../assets/agent-assets.js';
import { MAX_REFS } from '../../resolve/resolve.dto.js';
import { defineTool, type Tool, ToolContent } from '../tool.js';
import { assetRef, assetRefs, channel, clientId, cursor, requireChannelOf, surface } from '../tool-inputs.js';

const MAX_PICTURES = 4;
const USAGES_SHOWN = 20;

const VIEW_ASSETS = z.strictObject({
  clientId,
  assetRefs: assetRefs(MAX_PICTURES),
  surface: surface.optional(),
});
const CHECK_ASSETS = z.strictObject({ clientId, assetRefs: assetRefs(MAX_REFS), surface, channel });
const GET_USAGES = z.strictObject({ clientId, assetRef, cursor });

/** Tools for assets whose refs are known. */
@Injectable()
export class AssetTools {
  constructor(
    private readonly agentAssets: AgentAssets,
    private readonly previews: PreviewReader,
    private readonly assets: AssetsService,
  ) {}

  readonly tools: readonly Tool[] = [
    defineTool({
      name: 'view_assets',
      description: `Shows up to ${MAX_PICTURES} assets as pictures of at most 512 px, in the requested order; videos as a still frame.`,
      input: VIEW_ASSETS,
      permission: 'assets:resolve',
      readOnly: true,
      run: async ({ assetRefs: refs, surface: on, ...input }, call) => {
        const scope = await call.scopeOf(input);
        const results = await this.resolveAny(scope, refs, on);
        const pictures = await Promise.all(results.map((result) => this.picture(scope, result)));
        const rows = pictures.map(({ row }) => row);
        return new ToolContent([
          { type: 'text', text: JSON.stringify({ assets: rows }) },
          ...pictures.flatMap(({ data }) =>
            data
              ? [{ type: 'image' as const, mimeType: contentTypeOf('jpeg'), data: data.toString('base64') }]
              : [],
          ),
        ]);
      },
    }),
    defineTool({
      name: 'check_assets',
      description:
        'Checks whether assets may be used on a surface and are fit to publish there, or on one channel of it. "rendition" is what to deliver.',
      input: CHECK_ASSETS,
      permission: 'assets:resolve',
      readOnly: true,
      run: async ({ assetRefs: refs, surface: on, channel: only, ...input }, call) => {
        requireChannelOf(on, only);
        const results = await this.agentAssets.resolve(await call.scopeOf(input), refs, on);
        return { assets: results.map((result) => toCheck(result, on, only)) };
      },
    }),
    defineTool({
      name: 'get_usages',
      description: 'Lists where an asset has been used, posted and delivered, newest first.',
      input: GET_USAGES,
      permission: 'assets:resolve',
      readOnly: true,
      run: async ({ assetRef: ref, cursor: after, ...input }, call) => {
        const scope = await call.scopeOf(input);
        requireAll(await this.resolveAny(scope, [ref]));
        const page = await this.assets.listUsages(scope, ref, { limit: USAGES_SHOWN, cursor: after });
        const usages = page.items.map((usage) => {
          const {
            kind,
            externalId,
            surface: on,
            role,
            title,
            url,
            platform,
            createdAt,
          } = UsageDto.from(usage);
          return { kind, externalId, surface: on, role, title, url, platform, at: createdAt };
        });
        return { ref, usages, ...(page.nextCursor ? { nextCursor: page.nextCursor } : {}) };
      },
    }),
  ];

  /** For the given surface, or any surface that the key may use. */
  private async resolveAny(
    scope: ClientScope,
    refs: readonly string[],
    on?: Surface,
  ): Promise<ResolvedRef[]> {
    const surfaces = on ? [on] : (scope.actor.surfaces ?? SURFACES);
    let results = await this.agentAssets.resolve(scope, refs, surfaces[0]!);
    for (const next of surfaces.slice(1)) {
      if (results.every(({ ok }) => ok)) break;
      const others = await this.agentAssets.resolve(scope, refs, next);
      results = results.map((result, index) => (result.ok ? result : others[index]!));
    }
    return results;
  }

  /** A picture that cannot be made only affects its own asset; the others are shown. */
  private async picture(scope: ClientScope, result: ResolvedRef): Promise<{ row: object; data?: Buffer }> {
    const { assetRef: ref } = result;
    if (!result.ok) return { row: { ref, code: result.code, detail: result.detail } };
    const { title, altText, width, height } = result.asset;
    try {
      const data = await this.previews.read(scope, result.asset.id);
      return { row: { ref, title, alt: altText, size: `${width}x${height}` }, data };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return { row: { ref, title, code: error.code, detail: error.detail } };
    }
  }
}

function toCheck(result: ResolvedRef<Asset>, on: Surface, only?: Channel) {
  const { assetRef: ref } = result;
  if (!result.ok) return { ref, allowed: false, code: result.code, detail: result.detail };
  const { asset } = result;
  const { verdict, reasons, fix, warnings } = only
    ? channelFitness(asset, only)
    : { ...surfaceFitness(asset, on), warnings: [] };
  return {
    ref,
    allowed: true,
    fit: verdict,
    ...(reasons.length > 0 ? { reasons: reasons.map(({ message }) => message) } : {}),
    ...(warnings.length > 0
      ? { warnings: warnings.map(({ message, remedy }) => `${message}. ${remedy}`) }
      : {}),
    rendition: fix ?? 'original',
  };
}
