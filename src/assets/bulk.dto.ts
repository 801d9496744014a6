import { PickType } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  IsUUID,
} from 'class-validator';
import type { ProblemCode } from '../common/errors/catalogue.js';
import { Flag } from '../common/http/flag.decorator.js';
import { ListOf } from '../common/http/limit.decorators.js';
import { LowerCase } from '../common/http/lower-case.decorator.js';
import { Omittable } from '../common/http/omittable.decorator.js';
import { IsLongText, IsTags, IsTitle } from './asset-fields.decorators.js';
import { UpdateAssetDto } from './assets.dto.js';
import { IsSurfaces } from '../access/is-surfaces.decorator.js';
import type { Surface } from '../database/entities/asset.entity.js';

export const BULK_ACTIONS = ['move', 'trash', 'addTags', 'removeTags', 'setSurfaces', 'edit'] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];

const MAX_ASSETS = 500;
const MAX_START = 1_000_000;
const MAX_VERSION = 2 ** 31 - 1;

export class BulkDto {
  /**
   * Ids or assetRefs.
   * @example ["asset_01h455vb4pex5vsknk084sn02q"]
   */
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_ASSETS)
  @IsString({ each: true })
  @MaxLength(100, { each: true })
  assetIds: string[];

  /** @example "addTags" */
  @IsIn(BULK_ACTIONS)
  action: BulkAction;

  /** For `move`. Null means the top level. */
  @IsOptional()
  @LowerCase()
  @IsUUID()
  folderId?: string | null;

  /**
   * For `addTags` and `removeTags`.
   * @example ["autumn"]
   */
  @IsOptional()
  @IsTags()
  tags?: string[];

  /**
   * For `setSurfaces` and `edit`. An empty list means every surface.
   * @example ["website"]
   */
  @IsOptional()
  @IsSurfaces()
  allowedSurfaces?: Surface[];

  /**
   * For `trash`: also trashes assets that are used by references.
   * @example false
   */
  @Flag()
  force?: boolean;

  /**
   * For `trash`: rejects each asset of whose file no other copy would remain, with the code `last_copy`.
   * @example false
   */
  @Flag()
  copiesOnly?: boolean;

  /**
   * For `edit`: the new titles, as text with placeholders. `{title}` and `{filename}` (without its extension) are those of the asset, `{date}`
   * is the day it was taken, or else uploaded, and `{n}` numbers the assets in the order of `assetIds`; `{n:2}` has at least two digits.
   * `{{` and `}}` are literal braces.
   * @example "Autumn menu {n:2}"
   */
  @Omittable()
  @IsTitle()
  titlePattern?: string;

  /**
   * For `edit`: the number of the first asset. Defaults to 1.
   * @example 1
   */
  @Omittable()
  @IsInt()
  @Min(0)
  @Max(MAX_START)
  startAt?: number;

  /**
   * For `edit`.
   * @example "A lit bakery window at dawn"
   */
  @Omittable()
  @IsLongText()
  altText?: string;

  /** For `edit`. */
  @Omittable()
  @IsLongText()
  description?: string;

  /**
   * For `edit`: sets alt texts and descriptions only where they are empty.
   * @example false
   */
  @Flag()
  onlyEmpty?: boolean;

  /**
   * For `edit`.
   * @example ["autumn"]
   */
  @Omittable()
  @IsTags()
  addTags?: string[];

  /**
   * For `edit`.
   * @example ["draft"]
   */
  @Omittable()
  @IsTags()
  removeTags?: string[];

  /**
   * For `edit`: changes nothing. The results contain the titles, and why the edit cannot be applied to an asset.
   * @example false
   */
  @Flag()
  dryRun?: boolean;
}

const EDITED = ['title', 'description', 'altText', 'tags', 'allowedSurfaces'] as const;

/** The fields of an asset that `edit` changes. */
export class EditedFieldsDto extends PickType(UpdateAssetDto, EDITED) {}

/** New values of one of several assets. */
export class AssetUpdateDto extends EditedFieldsDto {
  /**
   * Id or assetRef.
   * @example "asset_01h455vb4pex5vsknk084sn02q"
   */
  @IsString()
  @MaxLength(100)
  assetId: string;

  /**
   * The expected version. If it differs, the asset is rejected with the code `version_mismatch`.
   * @example 1
   */
  @Omittable()
  @IsInt()
  @Min(1)
  @Max(MAX_VERSION)
  version?: number;
}

export class UpdateAssetsDto {
  /** @example [{ "assetId": "asset_01h455vb4pex5vsknk084sn02q", "altText": "A lit bakery window" }] */
  @ListOf(AssetUpdateDto, MAX_ASSETS)
  @ArrayMinSize(1)
  assets: AssetUpdateDto[];
}

export class BulkResultDto {
  assetId: string;
  ok: boolean;
  /** Present if `ok` is false. */
  code?: ProblemCode;
  /** What is wrong with this asset, unless `code` says it all. */
  detail?: string;
  /** After an edit: the new version. */
  version?: number;
  /** After an edit: the earlier values of the changed fields. Empty if nothing was changed. */
  before?: EditedFieldsDto;
  /** For `dryRun`: the title that the asset would have. */
  title?: string;
}

export class BulkResponseDto {
  results: BulkResultDto[];
  /** For `trash`: the batch with which all of them can be restored. */
  batchId?: string;
}
