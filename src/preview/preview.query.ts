import { IsIn, IsInt, IsOptional } from 'class-validator';
import { type Surface, SURFACES } from '../database/entities/asset.entity.js';
import { WholeNumber } from '../common/http/whole-number.decorator.js';
import { type FitShape, SHAPES } from '../fitness/publishing-limits.js';
import { type PreviewSize, SIZES } from './rendition.rules.js';

const NAMES = Object.keys(SIZES) as PreviewSize[];

/** A rendition for publishing. */
class FitQuery {
  /**
   * The `fit` rendition: a JPEG within the publishing limits of this surface.
   * @example "social"
   */
  @IsOptional()
  @IsIn(SURFACES)
  fit?: Surface;

  /**
   * The shape of `fit`: 1:1, 4:5, 1.91:1 or 9:16, cropped around the focal point. `original`, the default, is cropped only if the surface limits the aspect ratio.
   * @example "square"
   */
  @IsOptional()
  @IsIn(SHAPES)
  shape?: FitShape;
}

/** Instead of the original. */
export class DownloadQuery extends FitQuery {}

/** `fit` is an alternative to `size`. */
export class PreviewQuery extends FitQuery {
  /**
   * 256, 640 or 1600 pixels on the longer side. If omitted, the full size in a format that browsers can show.
   * @example "thumb"
   */
  @IsOptional()
  @IsIn(NAMES)
  size?: PreviewSize;

  /**
   * The asset's `version`. While it is current, browsers may cache the preview for a week.
   * @example 1
   */
  @IsOptional()
  @WholeNumber()
  @IsInt()
  v?: number;
}
