import { ZipArchive } from 'archiver';
import type { Readable } from 'node:stream';
import { Problem } from '../common/errors/problem.js';
import type { ArchiveEntry } from './archive-plan.js';

type Open = (key: string, signal: AbortSignal) => Promise<Readable | null>;

/** Small files are opened while the one before is still being sent, so that the store's latency does not add up. */
const READ_AHEAD_BYTES = 4 * 1024 * 1024;

/** DOS dates, which zip archives carry, begin in 1980 and end in 2107. */
const EARLIEST = Date.UTC(1980, 0, 1);
const LATEST = Date.UTC(2107, 11, 31);

/**
 * The archive as a stream, one entry after the other. When a source breaks, the stream is destroyed with its error: a truncated
 * archive never ends as if it were complete.
 */
export function archiveStream(
  entries: AsyncIterable<ArchiveEntry>,
  open: Open,
  signal: AbortSignal,
): Readable {
  const archive = new ZipArchive({ store: true });
  append(archive, entries, open, signal).catch((error: Error) => archive.destroy(error));
  return archive;
}

async function append(
  archive: ZipArchive,
  entries: AsyncIterable<ArchiveEntry>,
  open: Open,
  signal: AbortSignal,
): Promise<void> {
  let ahead: Promise<Readable> | null = null;
  try {
    for await (const [entry, next] of inPairs(entries)) {
      signal.throwIfAborted();
      const source =
        entry.file === null ? Buffer.alloc(0) : await (ahead ?? openFile(entry.file.key, open, signal));
      ahead = null;
      if (next?.file && isSmall(entry) && isSmall(next)) {
        ahead = openFile(next.file.key, open, signal);
        ahead.catch(() => undefined);
      }
      await appendEntry(archive, entry, source);
    }
    await archive.finalize();
  } finally {
    ahead?.then((stream) => stream.destroy()).catch(() => undefined);
  }
}

/** Each entry with the one after it. */
async function* inPairs<T>(items: AsyncIterable<T>): AsyncGenerator<[T, T | null]> {
  let previous: T | null = null;
  for await (const item of items) {
    if (previous !== null) yield [previous, item];
    previous = item;
  }
  if (previous !== null) yield [previous, null];
}

function isSmall({ file }: ArchiveEntry): boolean {
  return (file?.sizeBytes ?? 0) <= READ_AHEAD_BYTES;
}

/** Settles when the entry is written, or when archive or source have come to an end before it. */
async function appendEntry(
  archive: ZipArchive,
  entry: ArchiveEntry,
  source: Readable | Buffer,
): Promise<void> {
  const stream = Buffer.isBuffer(source) ? null : source;
  let received = 0;
  let onEntry!: () => void, onError!: (error: Error) => void, onClose!: () => void;
  const written = new Promise<void>((resolve, reject) => {
    onEntry = resolve;
    onError = reject;
    onClose = () => reject(new Error('The archive was closed.'));
  });
  archive.once('entry', onEntry).once('error', onError).once('close', onClose);
  stream?.once('error', onError);
  // The length has been announced: not a byte more than the record says may get into the archive.
  stream?.on('data', (chunk: Buffer) => {
    received += chunk.length;
    if (received > entry.file!.sizeBytes) archive.destroy(otherSize());
  });
  try {
    archive.append(source, {
      name: entry.path,
      date: clampDate(entry.date),
      ...(stream ? {} : { type: 'directory' }),
    });
    await written;
    if (entry.file !== null && received !== entry.file.sizeBytes) throw otherSize();
  } finally {
    archive.off('entry', onEntry).off('error', onError).off('close', onClose);
    stream?.destroy();
  }
}

async function openFile(key: string, open: Open, signal: AbortSignal): Promise<Readable> {
  const stream = await open(key, signal);
  if (stream === null)
    throw new Problem('storage_unavailable', 'A stored file is missing.', { retryAfter: 60 });
  return stream;
}

function otherSize(): Problem {
  return new Problem('storage_unavailable', 'A stored file has another size than its record.');
}

function clampDate(date: Date): Date {
  return new Date(Math.min(LATEST, Math.max(EARLIEST, date.getTime())));
}
