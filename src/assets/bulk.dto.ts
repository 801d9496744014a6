import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsIn,
  IsOptional,
  IsString,
  MaxLength,
  IsUUID,
} from 'class-validator';
import type { ProblemCode } from '../common/errors/catalogue.js';
import { Flag } from '../common/http/flag.decorator.js';
import { LowerCase } from '../common/http/lower-case.decorator.js';
import { IsTags } from './asset-fields.decorators.js';
import { IsSurfaces } from '../access/is-surfaces.decorator.js';
import type { Surface } from '../database/entities/asset.entity.js';

export const BULK_ACTIONS = ['move', 'trash', 'addTags', 'removeTags', 'setSurfaces'] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];

const MAX_ASSETS = 500;

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
   * For `setSurfaces`. An empty list means every surface.
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
}

export class BulkResultDto {
  assetId: string;
  ok: boolean;
  /** Present if `ok` is false. */
  code?: ProblemCode;
}

export class BulkResponseDto {
  results: BulkResultDto[];
  /** For `trash`: the batch with which all of them can be restored. */
  batchId?: string;
}
