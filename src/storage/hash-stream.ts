import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { type Readable, Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Problem } from '../common/errors/problem.js';
import { storageProblem } from './storage-errors.js';

export interface HashOptions {
  /** How many bytes there must be: a body that ends early is no file. */
  readonly sizeBytes: number;
  /** Where the bytes are kept, or null. */
  readonly path: string | null;
  /** How long the source may go without sending anything. */
  readonly idleMs: number;
}

/** Reads a stream once, with bounded memory: its SHA-256 in hex, and its bytes in a file when a path is given. */
export async function hashStream(
  source: Readable,
  { sizeBytes, path, idleMs }: HashOptions,
  signal?: AbortSignal,
): Promise<string> {
  const hash = createHash('sha256');
  const idle = new AbortController();
  const timer = setTimeout(() => idle.abort(), idleMs);
  let read = 0;
  const tap = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      timer.refresh();
      read += chunk.length;
      hash.update(chunk);
      done(null, chunk);
    },
  });
  const sink =
    path === null
      ? new Writable({ write: (_chunk, _encoding, done) => done() })
      : createWriteStream(path, { mode: 0o600 });
  try {
    await pipeline(source, tap, sink, {
      signal: signal ? AbortSignal.any([signal, idle.signal]) : idle.signal,
    });
    if (read !== sizeBytes) throw new Error(`${read} of ${sizeBytes} bytes came`);
    return hash.digest('hex');
  } catch (error) {
    signal?.throwIfAborted();
    if (isLocal(error)) {
      const detail = 'There is no room for temporary files.';
      throw new Problem('server_busy', detail, { retryAfter: 60, cause: error });
    }
    throw storageProblem(error);
  } finally {
    clearTimeout(timer);
  }
}

/** Of the disk the bytes are written to; whatever else fails is the store. */
function isLocal(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return code !== undefined && ['ENOSPC', 'EDQUOT', 'EROFS', 'EMFILE', 'ENFILE', 'EACCES'].includes(code);
}
