import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { type Readable, Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { storageProblem } from './storage-errors.js';

export interface HashOptions {
  /** The expected number of bytes: a body that ends early is not a complete file. */
  readonly sizeBytes: number;
  /** Where to store the bytes, or null. */
  readonly path: string | null;
  /** How long the source may go without sending anything. */
  readonly idleMs: number;
}

/** Reads a stream once, with constant memory: returns its SHA-256 in hex and, if a path is given, writes its bytes to a file. */
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
    if (read !== sizeBytes) throw new Error(`received ${read} bytes, expected ${sizeBytes}`);
    return hash.digest('hex');
  } catch (error) {
    signal?.throwIfAborted();
    throw isLocalError(error) ? error : storageProblem(error);
  } finally {
    clearTimeout(timer);
  }
}

export interface CollectOptions {
  readonly sizeBytes: number;
  readonly idleMs: number;
  /** Receives the first bytes before the rest is read; can reject the file by throwing. */
  readonly head: { readonly bytes: number; check(head: Buffer): void };
}

/** Reads a small stream into memory: its bytes and their SHA-256 in hex. */
export async function collectStream(
  source: Readable,
  { sizeBytes, idleMs, head }: CollectOptions,
  signal?: AbortSignal,
): Promise<{ bytes: Buffer; sha256: string }> {
  const bytes = Buffer.allocUnsafeSlow(sizeBytes);
  const hash = createHash('sha256');
  const idle = new AbortController();
  const timer = setTimeout(() => idle.abort(), idleMs);
  const headBytes = Math.min(head.bytes, sizeBytes);
  let refusal: Error | undefined;
  let read = 0;
  let checked = false;
  const check = () => {
    if (checked || read < headBytes) return;
    checked = true;
    try {
      head.check(bytes.subarray(0, headBytes));
    } catch (error) {
      refusal = error as Error;
      throw error;
    }
  };
  const collect = async (chunks: AsyncIterable<Buffer>) => {
    check();
    for await (const chunk of chunks) {
      timer.refresh();
      read += chunk.length;
      if (read > sizeBytes) break;
      chunk.copy(bytes, read - chunk.length);
      hash.update(chunk);
      check();
    }
  };
  try {
    await pipeline(source, collect, {
      signal: signal ? AbortSignal.any([signal, idle.signal]) : idle.signal,
    });
    if (read !== sizeBytes) throw new Error(`received ${read} bytes, expected ${sizeBytes}`);
    return { bytes, sha256: hash.digest('hex') };
  } catch (error) {
    signal?.throwIfAborted();
    throw refusal ?? storageProblem(error);
  } finally {
    clearTimeout(timer);
  }
}

/** At most this many bytes from the start of a stream, which is then destroyed: a store may ignore the requested range. */
export async function firstBytes(source: Readable, count: number, idleMs: number): Promise<Buffer> {
  const timer = setTimeout(() => source.destroy(new Error('no bytes arrived in time')), idleMs);
  const chunks: Buffer[] = [];
  let read = 0;
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      read += chunk.length;
      if (read >= count) break;
    }
  } catch (error) {
    throw storageProblem(error);
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(chunks).subarray(0, count);
}

/** Errors of the local disk; all other errors come from the store. */
export function isLocalError(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return code !== undefined && ['ENOSPC', 'EDQUOT', 'EROFS', 'EMFILE', 'ENFILE', 'EACCES'].includes(code);
}
