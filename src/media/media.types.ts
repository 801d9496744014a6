import type { RenditionFormat } from './file-types.js';

export interface MediaFacts {
  /** Upright: after EXIF orientation, HEIF rotation, video rotation and pixel aspect ratio. */
  width: number;
  height: number;
  durationMs: number | null;
  /** The camera's clock. Without a recorded offset it is read as UTC, so that it never depends on the server's time zone. */
  takenAt: Date | null;
  /** A thumbhash in base64; null for videos. */
  placeholder: string | null;
}

/** Further facts for checking where a file can be published. Unknown ones are omitted. */
export interface MediaDetails {
  /** For an image: whether its colours are sRGB, or have no profile. */
  isSrgb?: boolean;
  /** The IPTC digital source type, such as `trainedAlgorithmicMedia`, which discloses generated pictures. */
  digitalSourceType?: string;
  /** For a video: `avc`, `hevc`, `vp9`, …; `other` for unknown codecs. */
  videoCodec?: string;
  /** Null if the video has no sound. */
  audioCodec?: string | null;
  sampleRate?: number;
  frameRate?: number;
  /** Whether the index (`moov`) comes before the data. */
  isIndexFirst?: boolean;
  hasEditList?: boolean;
}

/**
 * Small images are in memory, large ones in a local file; videos are read in ranges, so that gigabytes are never copied to disk. Children
 * have neither files nor network, so the service reads for them.
 */
export type MediaSource =
  | { kind: 'bytes'; bytes: Buffer }
  | { kind: 'file'; path: string }
  | { kind: 'url'; url: string; sizeBytes: number };

/** The pixels of a picture at preview size: upright, in sRGB, with 3 or 4 channels of 8 bits. */
export interface SmallPicture {
  width: number;
  height: number;
  channels: number;
  data: Uint8Array;
}

/** One output picture: upright, in sRGB, without metadata, never larger than the original. */
export interface RenderOutput {
  name: string;
  /** The maximum length of the longer side; null for full size. */
  maxSide: number | null;
  format: RenditionFormat;
  /** For WebP and JPEG. Defaults to that of previews. */
  quality?: number;
  /** Requests a thumbhash of the picture, which videos get from the poster. */
  placeholder?: boolean;
  /** As an alternative to `maxSide`: an exact size, cropped to its ratio. */
  fit?: FitOutput;
}

export interface FitOutput {
  width: number;
  height: number;
  /** The point that the crop keeps in view, from 0 to 1; null for the most eye-catching part. */
  focus: { x: number; y: number } | null;
  /** The quality is lowered until the file is no larger than this. */
  maxBytes: number;
}

export interface Rendered {
  name: string;
  width: number;
  height: number;
  bytes: Buffer;
  /** A thumbhash in base64, if requested. */
  placeholder?: string;
}

export type MediaErrorCode = 'content_mismatch' | 'media_invalid';

/** The file itself is invalid. The message is for the person who uploaded it. */
export class MediaError extends Error {
  override readonly name = 'MediaError';

  constructor(
    readonly code: MediaErrorCode,
    message: string,
  ) {
    super(message);
  }
}

/** The file could not be checked: no child process, or none in time. Retrying may work. */
export class MediaUnavailableError extends Error {
  override readonly name = 'MediaUnavailableError';
}

/** Somebody else ended its decoders: usually the kernel, because memory ran out. Retrying may work. */
export class DecoderKilledError extends MediaUnavailableError {
  constructor() {
    super('the decoder was killed');
  }
}

/** The bytes of the file could not be read. Retrying may work. */
export class MediaSourceError extends Error {
  override readonly name = 'MediaSourceError';
}

/** Limits for inspecting a single file. */
export interface DecodeLimits {
  maxPixels: number;
  /** HEIC files are kept completely in WASM memory. */
  maxHeicBytes: number;
  /** The index (`moov`) of an MP4 is kept completely in memory. */
  maxMoovBytes: number;
  /** For one range request to the object store, including its body. */
  sourceTimeoutMs: number;
}

/** How decoder children are confined; see `confinement.ts`. */
export interface Confinement {
  /** Commands that each execute the next one; empty if there are none. */
  readonly wrapper: readonly string[];
  /** Node's permission model; empty if it is not available. */
  readonly nodeFlags: readonly string[];
}

export const UNCONFINED: Confinement = { wrapper: [], nodeFlags: [] };

export interface MediaOptions {
  /** The compiled `child/main.js`. */
  entry: string;
  /** An installed FFmpeg; null: the one that comes with the service, as WebAssembly. */
  ffmpegPath: string | null;
  confinement: Confinement;
  /** How many files are decoded at the same time: half of them in the background. A single decoder does both. */
  decoders: number;
  maxQueued: number;
  maxQueuedPerClient: number;
  maxJobsPerChild: number;
  idleMs: number;
  startTimeoutMs: number;
  /** Wall-clock limits per file. If the machine kept a child from running, it gets up to three extensions. */
  imageTimeLimitMs: number;
  /** WASM decodes HEVC about twenty times slower than native code decodes JPEG. */
  heicTimeLimitMs: number;
  videoTimeLimitMs: number;
  memoryLimitBytes: number;
  /** A child that is larger than this after a job is replaced, because WASM memory never shrinks. */
  recycleAboveBytes: number;
  heapLimitMb: number;
  limits: DecodeLimits;
  /** Whether another decoder would fit into memory. */
  hasFreeMemory: () => boolean;
}
