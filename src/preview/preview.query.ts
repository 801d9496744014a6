import { IsIn, IsOptional } from 'class-validator';
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
}
