import type { Readable } from 'node:stream';
import type { SupportedMime } from '../../media/media.types.js';

/** What is sent to a target: its bytes are in the store, and how many there are is known. */
export interface PreparedFile {
  /** ASCII. */
  readonly fileName: string;
  readonly contentType: SupportedMime;
  readonly sizeBytes: number;
  /** In hex; null for files that are too large to be read beforehand. */
  readonly md5: string | null;
  open(signal: AbortSignal): Promise<Readable>;
}
