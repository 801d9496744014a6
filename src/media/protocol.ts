import type { DecodeLimits, MediaErrorCode, MediaSource, SupportedMime } from './media.types.js';

/** Parent → child: one file to look at. A child works on one job at a time. */
export interface InspectJob {
  source: MediaSource;
  declared: SupportedMime;
  limits: DecodeLimits;
}

/** `MediaFacts` as JSON carries it. */
export interface FactsOnWire {
  width: number;
  height: number;
  durationMs: number | null;
  takenAt: string | null;
  placeholder: string | null;
}

export type Verdict =
  | { kind: 'facts'; facts: FactsOnWire }
  | { kind: 'refused'; code: MediaErrorCode; message: string }
  | { kind: 'unavailable'; message: string };

/** `worn`: a decoder failed in a way that may have left it in disorder. */
export type JobReply = Verdict & { rss: number; worn: boolean };

/** Child → parent. `reading` tells whose fault a timeout is: the store's while true, the file's while false. */
export type ChildMessage = { kind: 'ready' } | { kind: 'reading'; reading: boolean } | JobReply;

/** The signal a child ends itself with above its memory limit; anything else that ends it counts as a crash. */
export const OVER_MEMORY_SIGNAL: NodeJS.Signals = 'SIGUSR2';
