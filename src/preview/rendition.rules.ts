import type { SupportedMime } from '../media/media.types.js';

/** Pixels on the longer side. */
export const SIZES = { thumb: 256, small: 640, large: 1600 } as const;
export type PreviewSize = keyof typeof SIZES;

export type RenditionFormat = 'webp' | 'jpeg';

/** Something made from an original, upright, in sRGB, without metadata. */
export interface Rendition {
  /** The last part of its object key. */
  readonly name: string;
  /** Null: as large as the original. */
  readonly maxSide: number | null;
  readonly format: RenditionFormat;
}

export const CONTENT_TYPES: Record<RenditionFormat, string> = { webp: 'image/webp', jpeg: 'image/jpeg' };

/** What is shown when nothing is said about size: the original, unless browsers cannot show it. */
export function renditionFor(mimeType: SupportedMime, size: PreviewSize | null, format: RenditionFormat): Rendition | null {
  if (size !== null) return { name: `${size}.${format}`, maxSide: SIZES[size], format };
  return mimeType === 'image/heic' ? DISPLAY : null;
}

const DISPLAY: Rendition = { name: 'display.jpeg', maxSide: null, format: 'jpeg' };

/** Made right after an upload, in one pass over the original: what the pages ask for first. */
export const EAGER: readonly Rendition[] = (Object.keys(SIZES) as PreviewSize[]).map((size) => ({
  name: `${size}.webp`,
  maxSide: SIZES[size],
  format: 'webp',
}));

/** WebP for whoever accepts it by name; browsers do, and `*` alone promises nothing. */
export function formatFor(accept: string | undefined): RenditionFormat {
  const offers = (accept ?? '').split(',').map((part) => part.trim().toLowerCase());
  const webp = offers.find((offer) => offer.startsWith('image/webp'));
  return webp !== undefined && !/;\s*q=0(\.0*)?\s*(;|$)/.test(webp) ? 'webp' : accept === undefined || accept.trim() === '*/*' ? 'webp' : 'jpeg';
}
