import { fileType, type RenditionFormat, type SupportedMime } from '../media/file-types.js';
import type { FitOutput } from '../media/media.types.js';

/** Pixels on the longer side. */
export const SIZES = { thumb: 256, small: 640, large: 1600 } as const;
export type PreviewSize = keyof typeof SIZES;

/** A file made from an original: upright, in sRGB, without metadata. */
export interface Rendition {
  /** The last part of its object key. */
  readonly name: string;
  /** Null means the size of the original. */
  readonly maxSide: number | null;
  readonly format: RenditionFormat;
  /** For WebP and JPEG. Defaults to that of previews. */
  readonly quality?: number;
  /** As an alternative to `maxSide`: an exact size, cropped to its ratio. */
  readonly fit?: FitOutput;
}

export function contentTypeOf(format: RenditionFormat): SupportedMime {
  return `image/${format}`;
}

/** Full size, for formats that browsers cannot show. */
const DISPLAY: Rendition = { name: 'display.jpeg', maxSide: null, format: 'jpeg' };

function sized(size: PreviewSize, format: RenditionFormat): Rendition {
  return { name: `${size}.${format}`, maxSide: SIZES[size], format };
}

/** The rendition that is shown instead of the original. */
export function renditionFor(size: PreviewSize | null, format: RenditionFormat): Rendition {
  return size === null ? DISPLAY : sized(size, format);
}

/** Above this size, WordPress makes a smaller picture itself. */
const WEBSITE_SIDE = 2_560;
/** Sites make their own sizes from it, so lost quality affects all of them. */
const WEBSITE_QUALITY = 90;

/** The whole picture for a website; null for videos. */
export function websiteRendition(mimeType: SupportedMime): Rendition | null {
  const format = fileType(mimeType).renditionFormat;
  return format && { name: `website.${format}`, maxSide: WEBSITE_SIDE, format, quality: WEBSITE_QUALITY };
}

export const THUMBNAIL = sized('thumb', 'webp');

/** Made right after an upload, because pages request them first. All others are made on request. */
export const EAGER: readonly Rendition[] = [THUMBNAIL, sized('small', 'webp')];

/** WebP, unless the `Accept` header excludes it or does not list it. */
export function formatFor(accept: string | undefined): RenditionFormat {
  if (accept === undefined) return 'webp';
  const offers = accept.split(',').map((offer) => offer.trim().toLowerCase());
  const named = offers.find((offer) => /^image\/webp\s*(;|$)/.test(offer));
  if (named !== undefined) return isRefused(named) ? 'jpeg' : 'webp';
  // An `<img>` lists WebP if it is supported; a bare wildcard comes from programs, which can read either.
  const anything = offers.some((offer) => /^(\*|image)\/\*/.test(offer) && !isRefused(offer));
  return anything && !offers.some((offer) => offer.startsWith(contentTypeOf('jpeg'))) ? 'webp' : 'jpeg';
}

function isRefused(offer: string): boolean {
  return /;\s*q=0(\.0*)?\s*$/.test(offer);
}
