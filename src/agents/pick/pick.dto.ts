import { ApiProperty } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import { IsTags } from '../../assets/asset-fields.decorators.js';
import { AgentAssetDto } from '../../assets/assets.dto.js';
import { type Orientation, ORIENTATIONS } from '../../assets/orientation.js';
import { type Surface, SURFACES } from '../../database/entities/asset.entity.js';
import { IsTime } from '../../common/http/is-time.decorator.js';
import { SUPPORTED_TYPES, type SupportedMime } from '../../media/file-types.js';
import type { PickedAsset } from './picked-asset.js';

export const DEFAULT_COUNT = 5;
export const MAX_COUNT = 20;
export const MAX_TEXT = 500;

export class PickDto {
  /**
   * Where the assets will be used.
   * @example "social"
   */
  @IsIn(SURFACES)
  surface: Surface;

  /**
   * What the picture should show. Assets that contain all words rank before those that contain some.
   * @example "storefront dawn"
   */
  @IsOptional()
  @IsString()
  @MaxLength(MAX_TEXT)
  text?: string | null;

  /**
   * Assets must have all of these tags.
   * @example ["autumn"]
   */
  @IsOptional()
  @IsTags()
  tags?: string[] | null;

  /** @example 5 */
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_COUNT)
  count?: number | null = DEFAULT_COUNT;

  /**
   * Only assets that have never been used on the surface.
   * @example true
   */
  @IsOptional()
  @IsBoolean()
  unusedOnly?: boolean | null;

  /**
   * Only assets that have not been used on the surface since this time.
   * @example "2026-08-01T00:00:00Z"
   */
  @IsOptional()
  @IsTime()
  notUsedSince?: Date | null;

  /**
   * Square means that the sides differ by at most 2 percent.
   * @example "landscape"
   */
  @IsOptional()
  @IsIn(ORIENTATIONS)
  orientation?: Orientation | null;

  /**
   * Assets must have one of these types.
   * @example ["image/jpeg", "image/png"]
   */
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(SUPPORTED_TYPES.length)
  @IsIn(SUPPORTED_TYPES, { each: true })
  mimeTypes?: SupportedMime[] | null;
}

export class CandidateDto {
  /** @example "asset_01h455vb4pex5vsknk084sn02q" */
  assetRef: string;
  /**
   * Up to 100. Below 0 for assets that violate limits of the surface.
   * @example 100
   */
  score: number;
  @ApiProperty({ type: [String], example: ["matches 'storefront'", 'never used on social', 'ready'] })
  reasons: string[];
  asset: AgentAssetDto;
}

export class PickedDto {
  /** Best first. */
  candidates: CandidateDto[];

  static from(picked: readonly PickedAsset[]): PickedDto {
    return { candidates: picked.map((one) => ({ ...one, asset: AgentAssetDto.from(one.asset) })) };
  }
}
