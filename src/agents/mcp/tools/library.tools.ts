import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { toAssetRef } from '../../../common/asset-ref.js';
import { isImage, isVideo, SUPPORTED_TYPES } from '../../../media/file-types.js';
import { ClientsService } from '../../../clients/clients.service.js';
import { ClientScopes } from '../../../auth/client-scopes.js';
import type { Candidate } from '../../pick/candidates.repository.js';
import { MAX_TEXT } from '../../pick/pick.dto.js';
import type { Ranked } from '../../pick/pick.rules.js';
import { PickService } from '../../pick/pick.service.js';
import { TargetsService } from '../../../targets/targets.service.js';
import { defineTool, type Tool } from '../tool.js';
import { channel, clientId, cursor, requireChannelOf, surface } from '../tool-inputs.js';

const CLIENTS_SHOWN = 20;

const MIME_TYPES_OF = { image: SUPPORTED_TYPES.filter(isImage), video: SUPPORTED_TYPES.filter(isVideo) };

const LIST_CLIENTS = z.strictObject({
  q: z.string().max(200).optional().describe('Part of the name or id'),
  cursor,
});

const FIND_ASSETS = z.strictObject({
  clientId,
  surface,
  channel,
  q: z.string().max(MAX_TEXT).optional().describe('Search words; assets that contain all of them come first'),
  tags: z.array(z.string().min(1).max(200)).max(50).optional().describe('Assets must have all of these'),
  kind: z.enum(['image', 'video']).optional(),
  used: z.boolean().optional().describe('true: used on the surface before; false: never used there'),
  limit: z.int().min(1).max(50).default(10),
  cursor,
});

/** Tools for finding clients and assets. */
@Injectable()
export class LibraryTools {
  constructor(
    private readonly clients: ClientsService,
    private readonly scopes: ClientScopes,
    private readonly targets: TargetsService,
    private readonly picks: PickService,
  ) {}

  readonly tools: readonly Tool[] = [
    defineTool({
      name: 'list_clients',
      description: 'Lists the clients of this key and the targets that assets can be delivered to.',
      input: LIST_CLIENTS,
      permission: 'targets:read',
      readOnly: true,
      run: async ({ q, cursor: after }, { caller }) => {
        const page = await this.clients.list(caller, { limit: CLIENTS_SHOWN, cursor: after }, q);
        const clients = [];
        for (const { id, name } of page.items) {
          const targets = await this.targets.listAll(await this.scopes.ofClient(caller, id));
          clients.push({
            clientId: id,
            name,
            targets: targets.map((target) => ({
              targetId: target.id,
              name: target.name,
              kind: target.kind,
              state: target.state,
              ...(target.detail === null ? {} : { detail: target.detail }),
            })),
          });
        }
        const surfaces = caller.surfaces === null ? {} : { surfaces: caller.surfaces };
        return { ...surfaces, clients, ...(page.nextCursor ? { nextCursor: page.nextCursor } : {}) };
      },
    }),
    defineTool({
      name: 'find_assets',
      description:
        'Finds assets that may be used on a surface, best first: by words, not used lately, fit to publish. "fit" is ready, fixable (use rendition "fit") or blocked; "uses" counts uses on the surface.',
      input: FIND_ASSETS,
      permission: 'assets:resolve',
      readOnly: true,
      run: async ({ q, kind, limit, cursor: after, channel: on, ...input }, call) => {
        requireChannelOf(input.surface, on);
        const wanted = {
          surface: input.surface,
          ...(q ? { text: q } : {}),
          ...(input.tags ? { tags: input.tags.map((tag) => tag.normalize('NFC').trim()) } : {}),
          ...(kind ? { mimeTypes: MIME_TYPES_OF[kind] } : {}),
          ...(input.used === undefined ? {} : { used: input.used }),
        };
        const scope = await call.scopeOf(input);
        const page = await this.picks.list(scope, wanted, { limit, cursor: after, channel: on });
        return {
          assets: page.items.map(toRow),
          ...(page.nextCursor ? { nextCursor: page.nextCursor } : {}),
          ...(page.isPartial ? { note: 'Only the newest matches were ranked. Add words or tags.' } : {}),
        };
      },
    }),
  ];
}

/** Kept short, because a model reads every row. */
function toRow(asset: Ranked<Candidate>) {
  const { durationMs } = asset;
  return {
    ref: toAssetRef(asset.id),
    title: asset.title,
    ...(asset.altText ? { alt: asset.altText } : {}),
    type: asset.mimeType.split('/')[1],
    size: `${asset.width}x${asset.height}`,
    ...(durationMs === null ? {} : { seconds: Math.round(durationMs / 1_000) }),
    fit: asset.verdict,
    uses: asset.uses,
    why: asset.reasons.join(', '),
  };
}
