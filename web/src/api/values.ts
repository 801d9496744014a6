import type { components } from './schema';

type Schemas = components['schemas'];

export type Surface = Schemas['Surface'];
export type FitFor = Schemas['FitFor'];
export type MimeType = Schemas['MimeType'];
export type AssetSort = Schemas['AssetSort'];
export type Orientation = Schemas['Orientation'];
export type FitVerdict = Schemas['FitVerdict'];
type Channel = Exclude<FitFor, Surface>;

// In the order of the pages. The compiler requires every value of the API, and no others.

export const SURFACES = valuesOf<Surface>({ website: true, social: true, gbp: true });

/** A surface, or one of its channels. */
export const FIT_FOR: readonly FitFor[] = [
  ...SURFACES,
  ...valuesOf<Channel>({
    wordpress: true,
    instagram_feed: true,
    instagram_reel: true,
    instagram_reel_cover: true,
    instagram_story: true,
    facebook: true,
    facebook_story: true,
    linkedin: true,
    x: true,
    tiktok: true,
    pinterest: true,
    youtube_short: true,
    youtube_thumbnail: true,
    gbp_photo: true,
    gbp_video: true,
  }),
];

export const ASSET_SORTS = valuesOf<AssetSort>({
  newest: true,
  oldest: true,
  title: true,
  titleDescending: true,
  size: true,
  smallest: true,
});

export const ORIENTATIONS = valuesOf<Orientation>({ landscape: true, portrait: true, square: true });

/** As it is, or after resizing. */
export const FIT_VERDICTS = valuesOf<FitVerdict>({ ready: true, fixable: true });

export function isSurface(fitFor: FitFor): fitFor is Surface {
  return SURFACES.some((surface) => surface === fitFor);
}

function valuesOf<Value extends string>(values: Record<Value, true>): readonly Value[] {
  return Object.keys(values) as Value[];
}
