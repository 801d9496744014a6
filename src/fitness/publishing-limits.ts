import type { Surface } from '../database/entities/asset.entity.js';
import type { SupportedMime } from '../media/file-types.js';

/**
 * The file limits that the platforms publish. Data only; `fitness.rules.ts` applies it.
 *
 * If sources disagree, this contains the stricter value and `notes` names the other one. Maximum sizes count 1 MB as 1,000,000 bytes and minimum
 * sizes 1 KB as 1,024 bytes, which is the stricter reading of both. A value that a platform only recommends is in `recommended` if no rendition
 * of ours could meet it, and a limit otherwise. What a platform publishes but often accepts anyway is in `warnings`.
 */

/** The date of the last change, as a number. Assets checked with older rules are checked again; see `judge-fitness.job.ts`. */
export const RULES_VERSION = 20261119;

/** Each limit is checked by the entry of the same name in `CHECKS`. An unknown fact never violates a limit. */
export interface Limits {
  readonly types?: readonly SupportedMime[];
  readonly minBytes?: number;
  readonly maxBytes?: number;
  readonly maxPngBytes?: number;
  readonly minWidth?: number;
  readonly maxWidth?: number;
  readonly minHeight?: number;
  readonly minShorterSide?: number;
  readonly maxShorterSide?: number;
  readonly maxLongerSide?: number;
  readonly maxPixels?: number;
  /** Width divided by height. */
  readonly minRatio?: number;
  readonly maxRatio?: number;
  /** With a tolerance of 1 %. */
  readonly ratio?: number;
  readonly isSrgb?: true;
  readonly isPhotograph?: true;
  readonly videoCodecs?: readonly string[];
  readonly audioCodecs?: readonly string[];
  readonly maxSampleRate?: number;
  readonly minFrameRate?: number;
  readonly maxFrameRate?: number;
  /** Bits per second, including sound. */
  readonly maxBitrate?: number;
  readonly minDurationMs?: number;
  readonly maxDurationMs?: number;
  readonly isIndexFirst?: true;
  readonly hasNoEditList?: true;
}

/** Limits that a channel does not enforce for every file or every account. They do not change the result. */
export interface Warning {
  readonly limits: Limits;
  /** What to do about it: whole sentences. */
  readonly remedy: string;
}

export interface ChannelLimits {
  readonly surface: Surface;
  /** The usual name of the channel. */
  readonly label: string;
  /** Null if the channel does not accept images. */
  readonly image: Limits | null;
  /** The image only accompanies a video, so it does not count for the surface. */
  readonly imageIsCover?: true;
  /** Null if the channel does not accept videos. */
  readonly video: Limits | null;
  readonly recommended?: { readonly image?: Limits; readonly video?: Limits };
  readonly warnings?: { readonly image?: readonly Warning[]; readonly video?: readonly Warning[] };
  readonly source: string;
  /** When the source was last checked. Null if it has no date. */
  readonly date: string | null;
  readonly notes?: readonly string[];
}

const KIB = 1_024;
const MB = 1_000_000;
const GB = 1_000 * MB;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const NINE_TO_SIXTEEN = 9 / 16;
const INSTAGRAM = 'Meta, Instagram Platform, IG User Media, v25.0';

const REEL: Limits = {
  types: ['video/mp4'],
  videoCodecs: ['avc', 'hevc'],
  audioCodecs: ['aac'],
  maxSampleRate: 48_000,
  isIndexFirst: true,
  minFrameRate: 23,
  maxFrameRate: 60,
  maxWidth: 1920,
  maxBitrate: 25_000_000,
  minDurationMs: 3 * SECOND,
  maxDurationMs: 15 * MINUTE,
  maxBytes: 300 * MB,
};

/** Meta's page says "no edit lists", but FFmpeg writes one by default. */
const NO_EDIT_LIST: Warning = {
  limits: { hasNoEditList: true },
  remedy:
    'Many encoders write one. If Instagram rejects the video, remove it: ffmpeg -i video.mp4 -c copy -use_editlist 0 -movflags +faststart fixed.mp4',
};

export const CHANNELS = {
  wordpress: {
    surface: 'website',
    label: 'WordPress',
    image: { types: ['image/jpeg', 'image/png', 'image/webp'], maxLongerSide: 2560 },
    video: { types: ['video/mp4'] },
    source: 'Measured on WordPress 6.1.9 and 7.1',
    date: '2026-11-01',
    notes: [
      'Larger images are scaled to 2560 px by the site and served under another name.',
      'HEIC is stored without sizes, or served as JPEG, depending on the site.',
      'The largest file is a setting of each site.',
    ],
  },
  instagram_feed: {
    surface: 'social',
    label: 'Instagram feed',
    image: {
      types: ['image/jpeg'],
      isSrgb: true,
      maxBytes: 8 * MB,
      minWidth: 320,
      maxWidth: 1440,
      minRatio: 4 / 5,
      maxRatio: 1.91,
    },
    video: null,
    source: INSTAGRAM,
    date: '2026-03-01',
    notes: ['A carousel can have 2 to 10 images.'],
  },
  instagram_reel: {
    surface: 'social',
    label: 'Instagram reel',
    image: null,
    video: REEL,
    warnings: { video: [NO_EDIT_LIST] },
    source: INSTAGRAM,
    date: '2026-08-05',
    notes: ['Other copies of the page allow videos up to 1 GB.'],
  },
  instagram_reel_cover: {
    surface: 'social',
    label: 'Instagram reel cover',
    image: { types: ['image/jpeg'], maxBytes: 8 * MB },
    imageIsCover: true,
    video: null,
    recommended: { image: { ratio: NINE_TO_SIXTEEN } },
    source: INSTAGRAM,
    date: '2026-08-05',
    notes: ['Only the cover: the reel itself is a video.'],
  },
  instagram_story: {
    surface: 'social',
    label: 'Instagram story',
    image: { types: ['image/jpeg'], maxBytes: 8 * MB },
    video: { ...REEL, maxDurationMs: MINUTE, maxBytes: 100 * MB },
    recommended: { image: { ratio: NINE_TO_SIXTEEN } },
    warnings: { video: [NO_EDIT_LIST] },
    source: INSTAGRAM,
    date: '2026-08-05',
  },
  facebook: {
    surface: 'social',
    label: 'Facebook',
    image: {
      types: ['image/jpeg', 'image/png'],
      maxBytes: 4 * MB - 1,
      maxPngBytes: MB - 1,
      maxLongerSide: 2048,
    },
    video: { types: ['video/mp4'], maxDurationMs: 240 * MINUTE, maxBytes: 2 * GB },
    source: 'Meta, Graph API, photo uploads; Ayrshare 2026',
    date: null,
    notes: [
      'Meta recommends less than 4 MB, and less than 1 MB for PNG; Ayrshare allows 10 MB and 2048 px.',
      'Sources name 2 GB or 10 GB for videos.',
    ],
  },
  facebook_story: {
    surface: 'social',
    label: 'Facebook story',
    image: { types: ['image/jpeg', 'image/png'], maxBytes: 10 * MB, maxPngBytes: MB },
    video: {
      types: ['video/mp4'],
      videoCodecs: ['avc', 'hevc', 'vp9', 'av1'],
      minShorterSide: 540,
      minFrameRate: 23.976,
      maxFrameRate: 60,
      minDurationMs: 3 * SECOND,
      maxDurationMs: MINUTE,
    },
    recommended: { image: { ratio: NINE_TO_SIXTEEN }, video: { ratio: NINE_TO_SIXTEEN } },
    source: 'Meta, Facebook Stories API (developers.facebook.com/docs/page-stories-api), English page',
    date: '2026-11-19',
    notes: [
      'Older translations of the page still say 4 MB for photos.',
      'Meta recommends at most 1 MB for PNG.',
      '24 frames per second includes 23.976.',
    ],
  },
  linkedin: {
    surface: 'social',
    label: 'LinkedIn',
    image: { types: ['image/jpeg', 'image/png'], maxPixels: 36_152_319, maxBytes: 5 * MB },
    video: {
      types: ['video/mp4'],
      minBytes: 75 * KIB,
      maxBytes: 500 * MB,
      minDurationMs: 3 * SECOND,
      maxDurationMs: 30 * MINUTE,
      minRatio: 1 / 2.4,
      maxRatio: 2.4,
    },
    source: 'LinkedIn, Images and Videos API, as quoted by vendors in 2026',
    date: null,
    notes: ['Vendors name 5 MB or 8 MB for images.', 'A post can have 2 to 20 images.'],
  },
  x: {
    surface: 'social',
    label: 'X',
    image: { types: ['image/jpeg', 'image/png', 'image/webp'], maxBytes: 5 * MB },
    video: {
      types: ['video/mp4'],
      maxBytes: 512 * MB,
      minDurationMs: SECOND / 2,
      maxDurationMs: 140 * SECOND,
      minRatio: 1 / 3,
      maxRatio: 3,
      maxFrameRate: 60,
      maxLongerSide: 1920,
      maxShorterSide: 1200,
    },
    warnings: {
      video: [
        {
          limits: { maxLongerSide: 1280, maxShorterSide: 1024 },
          remedy:
            'Accounts with X Premium can post larger videos. For other accounts, scale the video down to 720p.',
        },
      ],
    },
    source:
      'X, media best practices (docs.x.com/x-api/media/quickstart/best-practices), as quoted by Ayrshare',
    date: '2026-11-19',
    notes: [
      'A post can have up to 4 images.',
      'The page names 1280 × 1024 px for videos; others name 1920 × 1200, and up to 4K for X Premium since 2025.',
      'Some vendors still say 40 frames per second.',
    ],
  },
  tiktok: {
    surface: 'social',
    label: 'TikTok',
    image: {
      types: ['image/jpeg', 'image/webp'],
      maxBytes: 20 * MB,
      maxShorterSide: 1080,
      maxLongerSide: 1920,
    },
    video: {
      types: ['video/mp4'],
      videoCodecs: ['avc', 'hevc', 'vp8', 'vp9'],
      minFrameRate: 23,
      maxFrameRate: 60,
      minShorterSide: 360,
      maxLongerSide: 4096,
      maxDurationMs: 10 * MINUTE,
      maxBytes: 4 * GB,
    },
    source: 'TikTok, media transfer guide',
    date: null,
    notes: ['A post can have up to 35 images.', 'Images can be at most 1080p: 1080 × 1920 px.'],
  },
  pinterest: {
    surface: 'social',
    label: 'Pinterest',
    image: { types: ['image/jpeg', 'image/png'], maxBytes: 10 * MB },
    video: {
      types: ['video/mp4'],
      videoCodecs: ['avc', 'hevc'],
      minDurationMs: 4 * SECOND,
      maxDurationMs: 15 * MINUTE,
      maxBytes: 2 * GB,
      minRatio: 1 / 2,
      maxRatio: 1.91,
    },
    recommended: { image: { ratio: 2 / 3 } },
    source: 'Pinterest, product specs',
    date: null,
    notes: ['Other pages allow images of 20 MB, and 32 MB in the app.'],
  },
  youtube_short: {
    surface: 'social',
    label: 'YouTube Short',
    image: null,
    video: { types: ['video/mp4'], ratio: NINE_TO_SIXTEEN, maxDurationMs: 3 * MINUTE },
    source: 'Ayrshare 2026',
    date: null,
  },
  youtube_thumbnail: {
    surface: 'social',
    label: 'YouTube thumbnail',
    image: { types: ['image/jpeg', 'image/png'], maxBytes: 2 * MB },
    imageIsCover: true,
    video: null,
    source: 'YouTube Data API, thumbnails.set',
    date: null,
    notes: ['Only the thumbnail: the Short itself is a video.'],
  },
  gbp_photo: {
    surface: 'gbp',
    label: 'Business Profile photo',
    image: {
      types: ['image/jpeg', 'image/png'],
      minBytes: 10 * KIB,
      maxBytes: 5 * MB,
      minWidth: 250,
      minHeight: 250,
      isPhotograph: true,
    },
    video: null,
    recommended: { image: { minWidth: 720, minHeight: 720 } },
    source: 'Google, Business Profile photo and video guidelines',
    date: '2026-07-27',
    notes: ['The policy requires photos taken with a camera; generated images are rejected.'],
  },
  gbp_video: {
    surface: 'gbp',
    label: 'Business Profile video',
    image: null,
    video: {
      types: ['video/mp4'],
      maxDurationMs: 30 * SECOND,
      maxBytes: 75 * MB,
      minShorterSide: 720,
    },
    source: 'Google, Business Profile photo and video guidelines',
    date: '2026-07-27',
    notes: ['Ayrshare accepts only 26 MB (as of 2026-11-19).'],
  },
} as const satisfies Record<string, ChannelLimits>;

export type Channel = keyof typeof CHANNELS;

/** The target of the `fit` rendition of a surface: within the image limits of all its channels. */
export interface FitTarget {
  /** Exactly this wide if the original is wide enough. Null: see `maxLongerSide`. */
  readonly width: number | null;
  readonly maxLongerSide: number | null;
  readonly minWidth: number;
  readonly minHeight: number;
  readonly minRatio: number;
  readonly maxRatio: number;
  readonly maxBytes: number;
}

export const FIT_TARGETS: Record<Surface, FitTarget> = {
  website: {
    width: null,
    maxLongerSide: 2560,
    minWidth: 1,
    minHeight: 1,
    minRatio: 0,
    maxRatio: Infinity,
    maxBytes: 4_900_000,
  },
  social: {
    width: 1080,
    maxLongerSide: null,
    minWidth: 320,
    minHeight: 1,
    minRatio: 4 / 5,
    maxRatio: 1.91,
    // YouTube accepts thumbnails of up to 2 MB.
    maxBytes: 1_900_000,
  },
  gbp: {
    width: 1080,
    maxLongerSide: null,
    minWidth: 250,
    minHeight: 250,
    minRatio: 0,
    maxRatio: Infinity,
    maxBytes: 4_900_000,
  },
};

/** The shapes of a `fit` rendition. `original` is cropped only as far as the surface requires. */
export const SHAPES = ['original', 'square', 'portrait', 'landscape', 'story'] as const;
export type FitShape = (typeof SHAPES)[number];
export type CropShape = Exclude<FitShape, 'original'>;

export const SHAPE_RATIOS: Record<CropShape, number> = {
  square: 1,
  portrait: 4 / 5,
  landscape: 1.91,
  story: NINE_TO_SIXTEEN,
};

/** The channels on which each shape is common. All of them accept it. */
export const SHAPE_CHANNELS: Record<CropShape, readonly Channel[]> = {
  square: ['instagram_feed', 'facebook', 'linkedin', 'x'],
  portrait: ['instagram_feed', 'facebook', 'linkedin', 'pinterest'],
  landscape: ['facebook', 'linkedin', 'x'],
  story: ['instagram_story', 'instagram_reel_cover', 'facebook_story', 'tiktok'],
};
