import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsOptional,
  IsString,
  IsUUID,
  Max,
  MaxLength,
  Min,
  ValidateBy,
} from 'class-validator';
import { AGENCY } from '../audit/audit.dto.js';
import { Flag } from '../common/http/flag.decorator.js';
import { IsTime } from '../common/http/is-time.decorator.js';
import { LowerCase } from '../common/http/lower-case.decorator.js';
import { WholeNumber } from '../common/http/whole-number.decorator.js';
import { isUuid } from '../common/ids.js';
import { PageQuery } from '../common/paging/page.js';
import { FIT_FOR, type FitFor } from '../fitness/fitness.rules.js';
import { SUPPORTED_TYPES, type SupportedMime } from '../media/file-types.js';
import { type Surface, SURFACES } from '../database/entities/asset.entity.js';
import { type Orientation, ORIENTATIONS } from './orientation.js';

export const SORTS = ['newest', 'oldest', 'title', 'titleDescending', 'size', 'smallest'] as const;
export type AssetSort = (typeof SORTS)[number];

/** Verdicts of files that can be published, unchanged or after resizing. */
export const FIT_VERDICTS = ['ready', 'fixable'] as const;
export type FitVerdict = (typeof FIT_VERDICTS)[number];

/** In `createdBy`, the caller. */
export const ME = 'me';

/** `?tags=a&tags=b` and `?tags=a,b` mean the same. */
function toList({ value }: { value: unknown }): unknown {
  const parts = Array.isArray(value) ? (value as unknown[]) : [value];
  return parts.flatMap((part) =>
    typeof part === 'string'
      ? part
          .split(',')
          .map((tag) => tag.normalize('NFC').trim())
          .filter(Boolean)
      : [part],
  );
}

/**
 * Skipping takes up to a microsecond per asset: the last page of 100,000 takes less than 0.1 s, with filters less than 0.3 s. Using the
 * opposite sort order, twice as many can be reached.
 */
const MAX_OFFSET = 200_000;

/** More than any file we accept. */
const MAX_SIDE = 1_000_000;

const IsCreator = () =>
  ValidateBy(
    {
      name: 'isCreator',
      validator: { validate: (value) => value === ME || value === AGENCY || isUuid(value) },
    },
    { message: `$property must be an id, ${ME} or ${AGENCY}` },
  );

export class AssetListQuery extends PageQuery {
  /**
   * Number of assets to skip, as an alternative to `cursor`.
   * @example 0
   */
  @IsOptional()
  @WholeNumber()
  @IsInt()
  @Min(0)
  @Max(MAX_OFFSET)
  offset?: number;

  /** Defaults to the top level. */
  @IsOptional()
  @LowerCase()
  @IsUUID()
  folderId?: string;

  /**
   * `title` sorts numbers by their value (1, 2, 10) and ignores case and accents; `titleDescending` is the reverse. `size` begins with the largest,
   * `smallest` with the smallest.
   */
  @ApiPropertyOptional({ enum: SORTS, default: 'newest', example: 'newest' })
  @IsOptional()
  @IsIn(SORTS)
  sort: AssetSort = 'newest';

  /**
   * Searches the title, description, alt text, tags and file name of assets in the folder and below.
   * @example "storefront dawn"
   */
  @IsOptional()
  @IsString()
  @MaxLength(500)
  q?: string;

  /**
   * Assets that have all of these tags. Separated by commas, or repeated.
   * @example ["autumn"]
   */
  @IsOptional()
  @Transform(toList)
  @IsArray()
  @ArrayMaxSize(50)
  @IsString({ each: true })
  @IsNotEmpty({ each: true })
  tags?: string[];

  /**
   * Assets that are allowed on this surface, including those allowed on every surface.
   * @example "website"
   */
  @IsOptional()
  @IsIn(SURFACES)
  surface?: Surface;

  /**
   * A surface or a channel. Lists assets that are allowed there and whose `fitness` for it is `ready` or `fixable`.
   * @example "social"
   */
  @IsOptional()
  @IsIn(FIT_FOR)
  fitFor?: FitFor;

  /**
   * Includes the assets of all folders below, as a search does.
   * @example false
   */
  @Flag()
  below?: boolean;

  /**
   * true: only assets that have been used or delivered. false: only those that have not.
   * @example true
   */
  @Flag()
  used?: boolean;

  /** @example "image/jpeg" */
  @IsOptional()
  @IsIn(SUPPORTED_TYPES)
  mimeType?: SupportedMime;

  /**
   * Only with `fitFor`. ready: assets that fit unchanged. fixable: those that fit after resizing.
   * @example "ready"
   */
  @IsOptional()
  @IsIn(FIT_VERDICTS)
  fitVerdict?: FitVerdict;

  /**
   * The id of the user or API key that uploaded the assets, `me` for the caller, or `agency` for everyone except users of the client's portal.
   * `GET …/assets/creators` lists them.
   * @example "me"
   */
  @IsOptional()
  @LowerCase()
  @IsCreator()
  createdBy?: string;

  /**
   * true: only assets without alt text. false: only those that have one.
   * @example true
   */
  @Flag()
  missingAltText?: boolean;

  /**
   * true: only assets of which the client has another one with identical bytes outside the trash. false: only the others.
   * @example true
   */
  @Flag()
  duplicates?: boolean;

  /**
   * Uploaded at this time or later.
   * @example "2026-11-01T00:00:00Z"
   */
  @IsOptional()
  @IsTime()
  createdFrom?: Date;

  /**
   * Uploaded before this time. If it is not later than `createdFrom`, the list is empty; the same applies to `takenTo`.
   * @example "2026-12-01T00:00:00Z"
   */
  @IsOptional()
  @IsTime()
  createdTo?: Date;

  /**
   * Taken at this time or later. Assets for which this is unknown are left out.
   * @example "2026-11-01T00:00:00Z"
   */
  @IsOptional()
  @IsTime()
  takenFrom?: Date;

  /**
   * Taken before this time. Assets for which this is unknown are left out.
   * @example "2026-12-01T00:00:00Z"
   */
  @IsOptional()
  @IsTime()
  takenTo?: Date;

  /**
   * `square` tolerates a difference of 2%.
   * @example "landscape"
   */
  @IsOptional()
  @IsIn(ORIENTATIONS)
  orientation?: Orientation;

  /**
   * In pixels, in the upright orientation.
   * @example 1080
   */
  @IsOptional()
  @WholeNumber()
  @IsInt()
  @Min(1)
  @Max(MAX_SIDE)
  minWidth?: number;

  /**
   * In pixels, in the upright orientation.
   * @example 1080
   */
  @IsOptional()
  @WholeNumber()
  @IsInt()
  @Min(1)
  @Max(MAX_SIDE)
  minHeight?: number;
}
