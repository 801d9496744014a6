import type {
  DecodeLimits,
  MediaDetails,
  MediaErrorCode,
  Rendered,
  RenderOutput,
  SmallPicture,
  SupportedMime,
} from './media.types.js';

interface FileJob {
  sizeBytes: number;
  declared: SupportedMime;
  limits: DecodeLimits;
}

export interface InspectJob extends FileJob {
  kind: 'inspect';
  /** Asks for the picture too, no larger than this on its longer side. */
  pictureSide: number | null;
}

export interface RenderJob extends FileJob {
  kind: 'render';
  outputs: RenderOutput[];
}

/** Makes pictures from one that is decoded already. */
export interface EncodeJob {
  kind: 'encode';
  picture: SmallPicture;
  /** The size of the original, from which the sizes of the outputs follow. */
  width: number;
  height: number;
  outputs: RenderOutput[];
}

/** Parent → child: one file to look at, or to make pictures of. A child works on one job at a time. */
export type Job = InspectJob | RenderJob | EncodeJob;

/** `MediaFacts` as JSON carries it. */
export interface FactsOnWire {
  width: number;
  height: number;
  durationMs: number | null;
  takenAt: string | null;
  placeholder: string | null;
}

export type Answer =
  | { kind: 'facts'; facts: FactsOnWire; details: MediaDetails; picture: SmallPicture | null }
  | { kind: 'rendered'; rendered: Rendered[] };

export type Verdict =
  | Answer
  | { kind: 'refused'; code: MediaErrorCode; message: string }
  | { kind: 'unavailable'; message: string };

/** `worn`: a decoder failed in a way that may have left it in disorder. */
export type JobReply = Verdict & { rss: number; worn: boolean };

/** Child → parent: bytes of the file that it works on, `end` exclusive. */
export interface ReadRequest {
  kind: 'read';
  start: number;
  end: number;
}

/** Parent → child: the bytes asked for; null when they could not be read. */
export interface ReadReply {
  kind: 'bytes';
  bytes: Uint8Array | null;
}

export type ParentMessage = Job | ReadReply;

export type ChildMessage = { kind: 'ready' } | ReadRequest | JobReply;

/** The signal a child ends itself with above its memory limit; anything else that ends it counts as a crash. */
export const OVER_MEMORY_SIGNAL: NodeJS.Signals = 'SIGUSR2';
