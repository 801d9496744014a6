import { IsIn, IsInt, IsOptional } from 'class-validator';
import { type Surface, SURFACES } from '../database/entities/asset.entity.js';
import { WholeNumber } from '../common/http/whole-number.decorator.js';
import { type FitShape, SHAPES } from '../fitness/publishing-limits.js';
import { type PreviewSize, SIZES } from './rendition.rules.js';

const NAMES = Object.keys(SIZES) as PreviewSize[];

export class PreviewQuery {
  /**
   * 256, 640 or 1600 pixels on the longer side. If omitted, the full size in a format that browsers can show.
   * @example "thumb"
   */
  @IsOptional()
  @IsIn(NAMES)
  size?: PreviewSize;

  /**
   * As an alternative to `size`: the `fit` rendition, a JPEG within the publishing limits of this surface.
   * @example "social"
   */
  @IsOptional()
  @IsIn(SURFACES)
  fit?: Surface;

  /**
   * The shape of `fit`. Defaults to `original`.
   * @example "square"
   */
  @IsOptional()
  @IsIn(SHAPES)
  shape?: FitShape;

  /**
   * The asset's `version`. While it is current, browsers may cache the preview for a week.
   * @example 1
   */
  @IsOptional()
  @WholeNumber()
  @IsInt()
  v?: number;
}
