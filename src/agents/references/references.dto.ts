import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsOptional } from 'class-validator';
import { IsTitle } from '../../assets/asset-fields.decorators.js';
import { IsWebAddress } from '../../common/http/is-web-address.decorator.js';
import type { Surface } from '../../database/entities/asset.entity.js';
import type { ReferenceKind, UsageRole } from '../../database/entities/usage.entity.js';
import { MAX_REFS, ResolvedRefDto } from '../resolve/resolve.dto.js';
import type { Reference } from './reference.js';

export class PutReferenceDto {
  /**
   * The main asset of the post, such as its cover.
   * @example "asset_01h455vb4pex5vsknk084sn02q"
   */
  @ApiProperty({ type: String, required: false, nullable: true })
  @IsOptional()
  featuredAssetRef?: string | null;

  /** The other assets of the post, in order. A repeated ref counts once. */
  @ApiProperty({ type: [String], required: false, example: ['asset_01h455vb4pex5vsknk084sn02q'] })
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_REFS)
  assetRefs?: string[] | null;

  /**
   * The title of the post.
   * @example "Ten breads for autumn"
   */
  @IsOptional()
  @IsTitle()
  title?: string | null;

  /**
   * The address of the post.
   * @example "https://bakery.example/blog/autumn"
   */
  @IsOptional()
  @IsWebAddress()
  url?: string | null;
}

export class ReferencedAssetDto extends ResolvedRefDto {
  usageId: string;
  /** @example "featured" */
  role: UsageRole;
  createdAt: Date;
  /** @example "SEO agent" */
  createdBy: string;
}

export class ReferenceDto {
  /** @example "seo_post" */
  kind: ReferenceKind;
  /** @example "post-4711" */
  externalId: string;
  /**
   * Derived from the kind.
   * @example "website"
   */
  surface: Surface;
  title: string | null;
  url: string | null;
  /** @example "asset_01h455vb4pex5vsknk084sn02q" */
  featuredAssetRef: string | null;
  /** @example ["asset_01h455vb4pex5vsknk084sn02q"] */
  assetRefs: string[];
  /** The featured asset first, then the others in order. An asset that can no longer be used has a `code` instead. */
  results: ReferencedAssetDto[];

  static from({ kind, externalId, surface, uses }: Reference): ReferenceDto {
    const refsOf = (role: UsageRole) =>
      uses.flatMap(({ usage, result }) => (usage.role === role ? [result.assetRef] : []));
    return {
      kind,
      externalId,
      surface,
      title: uses[0]!.usage.title,
      url: uses[0]!.usage.url,
      featuredAssetRef: refsOf('featured')[0] ?? null,
      assetRefs: refsOf('attached'),
      results: uses.map(({ usage, result }) => ({
        ...ResolvedRefDto.from(result),
        usageId: usage.id,
        role: usage.role,
        createdAt: usage.createdAt,
        createdBy: usage.createdBy,
      })),
    };
  }
}
