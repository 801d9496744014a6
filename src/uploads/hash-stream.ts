import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Readable, Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { storageProblem } from '../storage/storage-errors.js';

const IDLE_MS = 15_000;

/** Reads a stream once, with bounded memory: its SHA-256 in hex, and its bytes in a file when a path is given. */
export async function hashStream(
  source: Readable,
  path: string | null,
  signal: AbortSignal,
): Promise<string> {
  const hash = createHash('sha256');
  const idle = new AbortController();
  const timer = setTimeout(() => idle.abort(), IDLE_MS);
  const tap = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      timer.refresh();
      hash.update(chunk);
      done(null, chunk);
    },
  });
  const sink =
    path === null
      ? new Writable({ write: (_chunk, _encoding, done) => done() })
      : createWriteStream(path, { mode: 0o600 });
  try {
    await pipeline(source, tap, sink, { signal: AbortSignal.any([signal, idle.signal]) });
    return hash.digest('hex');
  } catch (error) {
    signal.throwIfAborted();
    throw storageProblem(error);
  } finally {
    clearTimeout(timer);
  }
}
