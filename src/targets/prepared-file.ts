import type { Readable } from 'node:stream';
import type { SupportedMime } from '../media/file-types.js';

/** The file that is sent to a target. Its bytes are in the store, and its size is known. */
export interface PreparedFile {
  /** ASCII. */
  readonly fileName: string;
  readonly contentType: SupportedMime;
  readonly sizeBytes: number;
  /** In hex. Null for files that are too large to be read in advance. */
  readonly md5: string | null;
  open(signal: AbortSignal): Promise<Readable>;
}
