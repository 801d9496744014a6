import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, IsOptional } from 'class-validator';
import { AgentAssetDto } from '../../assets/assets.dto.js';
import type { ProblemCode } from '../../common/errors/catalogue.js';
import { type Surface, SURFACES } from '../../database/entities/asset.entity.js';
import { type FitShape, SHAPES } from '../../fitness/publishing-limits.js';
import type { ResolvedRef } from '../../assets/agent-assets.js';
import { CONTENT_RENDITIONS, type ContentRendition } from './content-renditions.js';

export const MAX_REFS = 100;

export class ResolveDto {
  /** Up to 100. The response has one result for each, in the same order. */
  @ApiProperty({ type: [String], example: ['asset_01h455vb4pex5vsknk084sn02q'] })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_REFS)
  assetRefs: string[];

  /**
   * Where the assets will be used.
   * @example "website"
   */
  @IsIn(SURFACES)
  surface: Surface;
}

export class ResolvedRefDto {
  /** @example "asset_01h455vb4pex5vsknk084sn02q" */
  assetRef: string;
  /** Whether the asset can be used on the surface. */
  ok: boolean;
  /** Present if `ok` is true. */
  asset?: AgentAssetDto;
  /**
   * Present if `ok` is false: `asset_not_found` or `surface_not_allowed`.
   * @example "surface_not_allowed"
   */
  code?: ProblemCode;
  /** @example "The asset is not allowed on website, only on social." */
  detail?: string;

  static from(result: ResolvedRef): ResolvedRefDto {
    return result.ok ? { ...result, asset: AgentAssetDto.from(result.asset) } : result;
  }
}

export class ResolvedRefsDto {
  /** In the order of the request. */
  results: ResolvedRefDto[];

  static from(results: readonly ResolvedRef[]): ResolvedRefsDto {
    return { results: results.map((result) => ResolvedRefDto.from(result)) };
  }
}

export class ContentQuery {
  /**
   * Where the asset will be used.
   * @example "website"
   */
  @IsIn(SURFACES)
  surface: Surface;

  /**
   * The stored bytes, including all metadata, such as where it was recorded; a preview of 256, 640 or 1600 pixels on the longer side; or
   * `fit`: a JPEG of an image that is within the published limits of the surface (sRGB, upright, without metadata). Videos have no `fit`.
   * @example "large"
   */
  @ApiPropertyOptional({ enum: CONTENT_RENDITIONS, default: 'original' })
  @IsOptional()
  @IsIn(CONTENT_RENDITIONS)
  rendition: ContentRendition = 'original';

  /**
   * The shape of `fit`: 1:1, 4:5, 1.91:1 or 9:16, cropped around the focal point. `original`, the default, is cropped only if the surface limits the aspect ratio.
   * @example "square"
   */
  @IsOptional()
  @IsIn(SHAPES)
  shape?: FitShape;
}
