import { IsIn, IsInt, IsOptional } from 'class-validator';
import { type Surface, SURFACES } from '../database/entities/asset.entity.js';
import { WholeNumber } from '../common/http/whole-number.decorator.js';
import { type FitShape, SHAPES } from '../fitness/publishing-limits.js';
import { type PreviewSize, SIZES } from './rendition.rules.js';

const NAMES = Object.keys(SIZES) as PreviewSize[];

export class PreviewQuery {
  /**
   * 256, 640 or 1600 pixels on the longer side; absent: what a browser can show, as large as it is.
   * @example "thumb"
   */
  @IsOptional()
  @IsIn(NAMES)
  size?: PreviewSize;

  /**
   * Instead of `size`: the `fit` rendition, a JPEG within the published limits of this surface.
   * @example "social"
   */
  @IsOptional()
  @IsIn(SURFACES)
  fit?: Surface;

  /**
   * Of `fit`. `original` when absent.
   * @example "square"
   */
  @IsOptional()
  @IsIn(SHAPES)
  shape?: FitShape;

  /**
   * The asset's `version`. While it is the current one, browsers may show the preview for a week without asking again.
   * @example 1
   */
  @IsOptional()
  @WholeNumber()
  @IsInt()
  v?: number;
}
