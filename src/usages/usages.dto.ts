import { toAssetRef } from '../common/asset-ref.js';
import type { Surface } from '../database/entities/asset.entity.js';
import type { Usage, UsageKind, UsageRole } from '../database/entities/usage.entity.js';

export class UsageDto {
  usageId: string;
  /** @example "seo_post" */
  kind: UsageKind;
  /**
   * The id of the post, chosen by the agent. For a delivery, the delivery id.
   * @example "post-4711"
   */
  externalId: string;
  /** @example "website" */
  surface: Surface;
  /** @example "featured" */
  role: UsageRole;
  /** @example "Ten breads for autumn" */
  title: string | null;
  /** @example "https://bakery.example/blog/autumn" */
  url: string | null;
  createdAt: Date;
  /** @example "Social agent" */
  createdBy: string;
  /**
   * The social network of the post.
   * @example "instagram"
   */
  platform?: string;
  /** When it was posted. */
  postedAt?: Date;

  static from(usage: Usage): UsageDto {
    const { id, kind, externalId, surface, role, title, url, createdAt, createdBy } = usage;
    return {
      usageId: id,
      kind,
      externalId,
      surface,
      role,
      title,
      url,
      createdAt,
      createdBy,
      ...(usage.platform === null ? {} : { platform: usage.platform }),
      ...(role === 'posted' ? { postedAt: usage.usedAt } : {}),
    };
  }
}

/** A usage in a response about several assets. */
export class AssetUsageDto extends UsageDto {
  assetId: string;
  /** @example "asset_01h455vb4pex5vsknk084sn02q" */
  assetRef: string;

  static override from(usage: Usage): AssetUsageDto {
    return { assetId: usage.assetId, assetRef: toAssetRef(usage.assetId), ...UsageDto.from(usage) };
  }
}

export class UsagePageDto {
  /** Newest first. */
  usages: UsageDto[];
  nextCursor: string | null;
}
