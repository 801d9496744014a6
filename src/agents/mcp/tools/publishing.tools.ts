import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { ClientScope } from '../../../access/principal.js';
import { Problem } from '../../../common/errors/problem.js';
import { REFERENCE_KINDS, type ReferenceKind } from '../../../database/entities/usage.entity.js';
import { PutReferenceDto, ReferenceDto } from '../../references/references.dto.js';
import { ReferencesService } from '../../references/references.service.js';
import { MAX_REFS } from '../../resolve/resolve.dto.js';
import { FilePostDto, PLATFORMS } from '../../social/social.dto.js';
import { SocialService } from '../../social/social.service.js';
import { requestOf } from '../request-of.js';
import { defineTool, type Tool } from '../tool.js';
import { assetRef, assetRefs, clientId } from '../tool-inputs.js';

const MAX_POSTED = 20;

const url = z.string().max(2_048);

const SET_REFERENCES = z.strictObject({
  clientId,
  kind: z.enum(REFERENCE_KINDS as [ReferenceKind, ...ReferenceKind[]]),
  externalId: z.string().max(200).describe('Your id for the post'),
  featuredAssetRef: assetRef.optional(),
  assetRefs: z.array(assetRef).max(MAX_REFS).optional().describe('Further assets, in order'),
  title: z.string().max(500).optional().describe('Title of the post'),
  url: url.optional().describe('Address of the post'),
});

const FILE_AS_POSTED = z.strictObject({
  clientId,
  assetRefs: assetRefs(MAX_POSTED),
  network: z.enum(PLATFORMS),
  postUrl: url,
  postedAt: z.string().max(40).optional().describe('ISO 8601; defaults to now'),
});

/** Tools that record posts. */
@Injectable()
export class PublishingTools {
  constructor(
    private readonly references: ReferencesService,
    private readonly social: SocialService,
  ) {}

  readonly tools: readonly Tool[] = [
    defineTool({
      name: 'set_references',
      description:
        'Records which assets a post uses, replacing any earlier record; without assets, it removes the record. seo_post and website_change are for website, social_post for social, gbp_update for gbp.',
      input: SET_REFERENCES,
      permission: 'references:write',
      readOnly: false,
      run: async ({ clientId: client, kind, externalId, ...members }, call) => {
        const scope = await call.scopeOf({ clientId: client });
        if (members.featuredAssetRef === undefined && !members.assetRefs?.length)
          return this.removeReference(scope, kind, externalId);
        const request = await requestOf(PutReferenceDto, members);
        const reference = ReferenceDto.from(await this.references.put(scope, kind, externalId, request));
        const { surface, title, url: address, featuredAssetRef, assetRefs: refs } = reference;
        return { kind, externalId, surface, title, url: address, featuredAssetRef, assetRefs: refs };
      },
    }),
    defineTool({
      name: 'file_as_posted',
      description:
        'Records that assets were posted on a social network and moves them to the folder Social/Posted.',
      input: FILE_AS_POSTED,
      permission: 'social:organize',
      readOnly: false,
      run: async ({ clientId: client, assetRefs: refs, network, ...post }, call) => {
        const scope = await call.scopeOf({ clientId: client });
        const assets = [];
        for (const ref of new Set(refs)) {
          const request = await requestOf(FilePostDto, { assetRef: ref, platform: network, ...post });
          assets.push(await this.file(scope, request));
        }
        return { assets };
      },
    }),
  ];

  private async removeReference(
    scope: ClientScope,
    kind: ReferenceKind,
    externalId: string,
  ): Promise<object> {
    await this.references.delete(scope, kind, externalId).catch((error: unknown) => {
      if (!(error instanceof Problem && error.code === 'reference_not_found')) throw error;
    });
    return { kind, externalId, featuredAssetRef: null, assetRefs: [] };
  }

  private async file(scope: ClientScope, request: FilePostDto): Promise<object> {
    try {
      const { usage, folder } = await this.social.file(scope, request);
      return { ref: request.assetRef, folder: folder.path, usageId: usage.id, postedAt: usage.usedAt };
    } catch (error) {
      return refusedRow(request.assetRef, error);
    }
  }
}

/** A problem with one asset does not affect the others; any other error ends the call. */
function refusedRow(ref: string, error: unknown): object {
  if (error instanceof Problem && (error.code === 'asset_not_found' || error.code === 'surface_not_allowed'))
    return { ref, code: error.code, detail: error.detail };
  throw error;
}
