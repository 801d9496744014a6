import type { SupportedMime } from './file-types.js';
import type { DecodeLimits, MediaDetails, MediaErrorCode, Rendered, RenderOutput } from './media.types.js';

interface FileJob {
  sizeBytes: number;
  declared: SupportedMime;
  limits: DecodeLimits;
}

export interface InspectJob extends FileJob {
  kind: 'inspect';
}

export interface RenderJob extends FileJob {
  kind: 'render';
  outputs: RenderOutput[];
}

/** Parent → child: a file to inspect or to render. A child works on one job at a time. */
export type Job = InspectJob | RenderJob;

/** `MediaFacts` as JSON. */
export interface FactsOnWire {
  width: number;
  height: number;
  durationMs: number | null;
  takenAt: string | null;
  placeholder: string | null;
}

export type JobResult =
  { kind: 'facts'; facts: FactsOnWire; details: MediaDetails } | { kind: 'rendered'; rendered: Rendered[] };

export type Verdict =
  | JobResult
  | { kind: 'refused'; code: MediaErrorCode; message: string }
  | { kind: 'unavailable'; message: string };

/** `mustRestart`: a decoder failed in a way that may have left it in an invalid state. */
export type JobReply = Verdict & { rss: number; mustRestart: boolean };

/** Child → parent: requests bytes of its file; `end` is exclusive. */
export interface ReadRequest {
  kind: 'read';
  start: number;
  end: number;
}

/** Parent → child: the requested bytes; null if they could not be read. */
export interface ReadReply {
  kind: 'bytes';
  bytes: Uint8Array | null;
}

/**
 * The longest side of a frame, at least as large as every preview. Frames pass through the parent, which must neither hold nor copy the
 * hundreds of megabytes that a frame of full size can have.
 */
export const MAX_FRAME_SIDE = 2_048;

/** Child → parent: decode a frame of the excerpt of a video. The parent runs FFmpeg, because children cannot run programs. */
export interface FrameRequest {
  kind: 'frame';
  excerpt: Uint8Array;
  /** The size of the requested upright frame. */
  width: number;
  height: number;
  /** The height of the stored video, which suggests its colours. */
  codedHeight: number;
  /** Degrees clockwise. */
  rotation: number;
  /** Skip black frames. */
  skipBlack: boolean;
}

/** Rows of red, green and blue, one byte each; colours by FFmpeg's names. */
export interface DecodedFrame {
  pixels: Uint8Array;
  primaries: string;
  transfer: string;
}

/** Parent → child: the requested frame; null if none can be decoded, or if all are black and black frames are skipped. */
export interface FrameReply {
  kind: 'frame';
  frame: DecodedFrame | null;
}

export type ParentMessage = Job | ReadReply | FrameReply;

export type ChildMessage = { kind: 'ready' } | ReadRequest | FrameRequest | JobReply;

/** The signal with which a child ends itself above its memory limit; any other end counts as a crash. */
export const OVER_MEMORY_SIGNAL: NodeJS.Signals = 'SIGUSR2';
