import type { Sharp } from 'sharp';

export interface Upright {
  width: number;
  height: number;
  /** From the original; kept in pictures that are made for publishing. */
  digitalSourceType?: string | null;
  /** Starts reading the picture again. */
  open(): Sharp;
}
