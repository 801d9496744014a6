import type { MediaDetails } from '../media/media.types.js';
import { fileType, isSupported, type SupportedMime } from '../media/file-types.js';
import type { Limits } from './publishing-limits.js';

/** The properties of an asset that are checked. `mediaFacts` is null for assets uploaded before it was collected. */
export interface JudgedAsset {
  readonly mimeType: SupportedMime;
  readonly sizeBytes: number;
  readonly width: number;
  readonly height: number;
  readonly durationMs: number | null;
  readonly mediaFacts: MediaDetails | null;
}

export type Facts = Omit<JudgedAsset, 'mediaFacts'> & MediaDetails;

export interface Check<Limit, Actual> {
  readonly code: string;
  /** Undefined or null means unknown; then the limit counts as met. */
  actual(facts: Facts): Actual | null | undefined;
  holds(actual: Actual, limit: Limit): boolean;
  /** The predicate of a sentence whose subject is the channel. */
  describe(limit: Limit): string;
  /** The text for a limit or a value that is neither a number nor a list. */
  readonly words?: Readonly<Record<string, string>>;
}

type Fact = (facts: Facts) => number | null | undefined;

/** How much a picture may differ from the required ratio. */
const RATIO_TOLERANCE = 0.01;

/** IPTC digital source types of pictures that were not taken with a camera. */
const GENERATED = new Set([
  'trainedAlgorithmicMedia',
  'compositeWithTrainedAlgorithmicMedia',
  'algorithmicMedia',
  'compositeSynthetic',
]);

const width: Fact = (facts) => facts.width;
const height: Fact = (facts) => facts.height;
const ratio: Fact = (facts) => facts.width / facts.height;
const shorterSide: Fact = (facts) => Math.min(facts.width, facts.height);
const longerSide: Fact = (facts) => Math.max(facts.width, facts.height);
const bytes: Fact = (facts) => facts.sizeBytes;
const duration: Fact = (facts) => facts.durationMs;

const atLeast = (code: string, actual: Fact, describe: (limit: number) => string): Check<number, number> => ({
  code,
  actual,
  holds: (value, limit) => value >= limit,
  describe,
});
const atMost = (code: string, actual: Fact, describe: (limit: number) => string): Check<number, number> => ({
  code,
  actual,
  holds: (value, limit) => value <= limit,
  describe,
});
const mustBe = (
  code: string,
  actual: (facts: Facts) => boolean | null | undefined,
  describe: string,
  [yes, no]: [string, string],
): Check<true, boolean> => ({
  code,
  actual,
  holds: (value) => value,
  describe: () => describe,
  words: { true: yes, false: no },
});
const mustBeOneOf = (
  code: string,
  actual: (facts: Facts) => string | null | undefined,
): Check<readonly string[], string> => ({
  code,
  actual,
  holds: (value, allowed) => allowed.includes(value),
  describe: (allowed) => `accepts ${allowed.map(nameOf).join(', ')}`,
});

function nameOf(typeOrCodec: string): string {
  return isSupported(typeOrCodec) ? fileType(typeOrCodec).name : (CODEC_NAMES[typeOrCodec] ?? typeOrCodec);
}

const CODEC_NAMES: Record<string, string> = {
  avc: 'H.264',
  hevc: 'H.265',
  vp8: 'VP8',
  vp9: 'VP9',
  aac: 'AAC',
};

/** One check for each limit. The codes are part of the API. */
export const CHECKS: { [Name in keyof Limits]-?: Check<NonNullable<Limits[Name]>, unknown> } = {
  types: mustBeOneOf('unsupported_type', (facts) => facts.mimeType),
  minBytes: atLeast('file_too_small', bytes, (limit) => `requires files of at least ${size(limit)}`),
  maxBytes: atMost('file_too_large', bytes, (limit) => `accepts files up to ${size(limit)}`),
  maxPngBytes: atMost(
    'file_too_large',
    (facts) => (facts.mimeType === 'image/png' ? facts.sizeBytes : null),
    (limit) => `accepts PNG files up to ${size(limit)}`,
  ),
  minWidth: atLeast('too_narrow', width, (limit) => `requires a width of at least ${limit} px`),
  maxWidth: atMost('too_wide', width, (limit) => `accepts widths up to ${limit} px`),
  minHeight: atLeast('too_low', height, (limit) => `requires a height of at least ${limit} px`),
  minShorterSide: atLeast(
    'too_few_pixels',
    shorterSide,
    (limit) => `requires at least ${limit} px on the shorter side`,
  ),
  maxShorterSide: atMost(
    'too_many_pixels',
    shorterSide,
    (limit) => `accepts up to ${limit} px on the shorter side`,
  ),
  maxLongerSide: atMost(
    'too_many_pixels',
    longerSide,
    (limit) => `accepts up to ${limit} px on the longer side`,
  ),
  maxPixels: atMost(
    'too_many_pixels',
    (facts) => facts.width * facts.height,
    (limit) => `accepts up to ${limit} pixels`,
  ),
  minRatio: atLeast('ratio_too_tall', ratio, (limit) => `accepts aspect ratios from ${ratioText(limit)}`),
  maxRatio: atMost('ratio_too_wide', ratio, (limit) => `accepts aspect ratios up to ${ratioText(limit)}`),
  ratio: {
    code: 'ratio_differs',
    actual: ratio,
    holds: (value: number, limit: number) => Math.abs(value / limit - 1) <= RATIO_TOLERANCE,
    describe: (limit: number) => `expects the aspect ratio ${ratioText(limit)}`,
  },
  isSrgb: mustBe('not_srgb', (facts) => facts.isSrgb, 'requires sRGB colours', ['sRGB', 'other colours']),
  isPhotograph: {
    code: 'generated_image',
    actual: (facts) => facts.digitalSourceType,
    holds: (value: string) => !GENERATED.has(value),
    describe: () => 'accepts photos taken with a camera, not generated images',
    words: { true: 'digitalCapture' },
  },
  videoCodecs: mustBeOneOf('unsupported_video_codec', (facts) => facts.videoCodec),
  audioCodecs: mustBeOneOf('unsupported_audio_codec', (facts) => facts.audioCodec),
  maxSampleRate: atMost(
    'sample_rate_too_high',
    (facts) => facts.sampleRate,
    (limit) => `accepts audio up to ${limit / 1_000} kHz`,
  ),
  minFrameRate: atLeast(
    'frame_rate_too_low',
    (facts) => facts.frameRate,
    (limit) => `requires at least ${limit} frames per second`,
  ),
  maxFrameRate: atMost(
    'frame_rate_too_high',
    (facts) => facts.frameRate,
    (limit) => `accepts up to ${limit} frames per second`,
  ),
  maxBitrate: atMost('bitrate_too_high', bitrate, (limit) => `accepts up to ${limit / 1_000_000} Mbit/s`),
  minDurationMs: atLeast('too_short', duration, (limit) => `requires a duration of at least ${time(limit)}`),
  maxDurationMs: atMost('too_long', duration, (limit) => `accepts videos up to ${time(limit)}`),
  isIndexFirst: mustBe(
    'index_not_first',
    (facts) => facts.isIndexFirst,
    'requires the index (moov) before the data',
    ['index first', 'index last'],
  ),
  hasNoEditList: mustBe(
    'has_edit_list',
    (facts) => (facts.hasEditList === undefined ? null : !facts.hasEditList),
    'requires files without edit lists',
    ['no edit list', 'edit list'],
  ),
};

function bitrate({ sizeBytes, durationMs }: Facts): number | null {
  return durationMs === null ? null : (sizeBytes * 8_000) / durationMs;
}

/** Limits just below a round number ("less than 4 MB") are shown as that number. */
function size(limit: number): string {
  if (limit % 1_024 === 0 && limit < 1_000_000) return `${limit / 1_024} KB`;
  const mb = Math.round(limit / 10_000) / 100;
  return mb >= 1_000 ? `${mb / 1_000} GB` : `${mb} MB`;
}

function time(ms: number): string {
  const seconds = ms / 1_000;
  if (seconds < 120 || seconds % 60 !== 0) return `${seconds} s`;
  return seconds % 3_600 === 0 ? `${seconds / 3_600} h` : `${seconds / 60} min`;
}

/** The usual notation of ratios: 4:5 rather than 0.8:1, but 1.91:1. */
function ratioText(limit: number): string {
  for (const [high, wide] of WHOLE_RATIOS) if (Math.abs(limit - wide / high) < 1e-9) return `${wide}:${high}`;
  return limit < 1 ? `1:${Math.round(100 / limit) / 100}` : `${Math.round(limit * 100) / 100}:1`;
}

const WHOLE_RATIOS: [number, number][] = [
  [5, 4],
  [16, 9],
  [3, 2],
];
