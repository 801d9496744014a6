/** The five types the library takes (specification, "Supported formats"). */
export type SupportedMime = 'image/jpeg' | 'image/png' | 'image/webp' | 'image/heic' | 'video/mp4';

export interface MediaFacts {
  /** As seen upright: after EXIF orientation, HEIF rotation, video rotation and pixel aspect. */
  width: number;
  height: number;
  durationMs: number | null;
  /** The camera's clock. Without a recorded offset it is read as UTC, so that it never depends on the server's zone. */
  takenAt: Date | null;
  /** A thumbhash in base64; null for videos. */
  placeholder: string | null;
}

/** Further facts, for judging where a file can be published. Whatever could not be told is left out. */
export interface MediaDetails {
  /** Of an image: whether its colours are sRGB's, or no profile says otherwise. */
  isSrgb?: boolean;
  /** The IPTC digital source type, as `trainedAlgorithmicMedia`: discloses generated pictures. */
  digitalSourceType?: string;
  /** Of a video: `avc`, `hevc`, `vp9`, …; `other` for what no decoder of ours knows. */
  videoCodec?: string;
  /** Null: the video has no sound. */
  audioCodec?: string | null;
  sampleRate?: number;
  frameRate?: number;
  /** Whether the index (`moov`) comes before the data. */
  isIndexFirst?: boolean;
  hasEditList?: boolean;
}

/**
 * Small images are in memory, large ones in a local file; videos are read in ranges, so that gigabytes are never copied to disk.
 * Children have neither files nor network: we read for them.
 */
export type MediaSource =
  | { kind: 'bytes'; bytes: Buffer }
  | { kind: 'file'; path: string }
  | { kind: 'url'; url: string; sizeBytes: number };

/** The pixels of a picture at preview size: upright, in sRGB, 8 bits for each of 3 or 4 channels. */
export interface SmallPicture {
  width: number;
  height: number;
  channels: number;
  data: Uint8Array;
}

/** One picture to make of a file: upright, in sRGB, without metadata, never larger than the original. */
export interface RenderOutput {
  name: string;
  /** The longer side at most; null for full size. */
  maxSide: number | null;
  format: 'webp' | 'jpeg' | 'png';
  /** Of WebP and JPEG; absent: that of previews. */
  quality?: number;
  /** Asks for a thumbhash of the picture: videos get theirs from the poster. */
  placeholder?: boolean;
  /** Instead of `maxSide`: an exact size, cropped to its ratio. */
  fit?: FitOutput;
}

export interface FitOutput {
  width: number;
  height: number;
  /** What the crop keeps in view, from 0 to 1; null: the most eye-catching part. */
  focus: { x: number; y: number } | null;
  /** The quality is lowered until the file is no larger. */
  maxBytes: number;
}

export interface Rendered {
  name: string;
  width: number;
  height: number;
  bytes: Buffer;
  /** A thumbhash in base64, when asked for. */
  placeholder?: string;
}

export type MediaErrorCode = 'content_mismatch' | 'media_invalid';

/** The file itself is wrong. The message is meant for the person who uploaded it. */
export class MediaError extends Error {
  override readonly name = 'MediaError';

  constructor(
    readonly code: MediaErrorCode,
    message: string,
  ) {
    super(message);
  }
}

/** We could not look at the file: no child process, or none in time. Trying again may work. */
export class MediaUnavailableError extends Error {
  override readonly name = 'MediaUnavailableError';
}

/** The bytes of the file could not be read where they are. Trying again may work. */
export class MediaSourceError extends Error {
  override readonly name = 'MediaSourceError';
}

/** What a single file may cost while it is looked at. */
export interface DecodeLimits {
  maxPixels: number;
  /** HEIC files are held in WASM memory as a whole. */
  maxHeicBytes: number;
  /** The index (`moov`) of an MP4 is held in memory as a whole. */
  maxMoovBytes: number;
  /** One range request to the object store, its body included. */
  sourceTimeoutMs: number;
}

/** How decoder children are kept from everything they do not need; see `confinement.ts`. */
export interface Confinement {
  /** Commands that each run the next one in their place; empty where there are none. */
  readonly wrapper: readonly string[];
  /** Node's permission model; empty where it is not available. */
  readonly nodeFlags: readonly string[];
}

export const UNCONFINED: Confinement = { wrapper: [], nodeFlags: [] };

export interface MediaOptions {
  /** The compiled `child/main.js`. */
  entry: string;
  confinement: Confinement;
  /** How many files of one client are decoded at once; one more is decoded when another client asks. The same again in the background. */
  children: number;
  maxQueued: number;
  maxQueuedPerClient: number;
  maxJobsPerChild: number;
  idleMs: number;
  startTimeoutMs: number;
  /** Wall-clock limits per file. A child that the machine kept from running is given up to three times as much again. */
  imageTimeLimitMs: number;
  /** WASM decodes HEVC some twenty times slower than native code decodes JPEG. */
  heicTimeLimitMs: number;
  videoTimeLimitMs: number;
  memoryLimitBytes: number;
  /** A child that is larger than this after a job is replaced, since WASM memory never shrinks. */
  recycleAboveBytes: number;
  heapLimitMb: number;
  limits: DecodeLimits;
}

export const mediaDefaults: Omit<MediaOptions, 'entry'> = {
  confinement: UNCONFINED,
  children: 2,
  maxQueued: 2_000,
  maxQueuedPerClient: 200,
  maxJobsPerChild: 100,
  idleMs: 30_000,
  startTimeoutMs: 20_000,
  imageTimeLimitMs: 20_000,
  heicTimeLimitMs: 30_000,
  videoTimeLimitMs: 30_000,
  memoryLimitBytes: 1_500 * 1024 * 1024,
  recycleAboveBytes: 256 * 1024 * 1024,
  heapLimitMb: 512,
  limits: {
    maxPixels: 100_000_000,
    maxHeicBytes: 256 * 1024 * 1024,
    maxMoovBytes: 64 * 1024 * 1024,
    sourceTimeoutMs: 10_000,
  },
};
