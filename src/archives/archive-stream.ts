import { setMaxListeners } from 'node:events';
import { Readable } from 'node:stream';
import type { ArchiveEntry } from './archive-plan.js';
import { isLastBlock, type LoadedBlock, readAhead, type ReadAheadOptions } from './read-ahead.js';
import { StoredZipArchive } from './stored-zip-archive.js';

type Blocks = AsyncGenerator<LoadedBlock, void>;

/** DOS dates in zip archives range from 1980 to 2107. */
const EARLIEST = Date.UTC(1980, 0, 1);
const LATEST = Date.UTC(2107, 11, 31);

/**
 * The archive as a stream, one entry after the other. If a source fails, the stream is destroyed with its error, so a truncated archive
 * never ends as if it were complete.
 */
export function archiveStream(entries: AsyncIterable<ArchiveEntry>, options: ReadAheadOptions): Readable {
  const archive = new StoredZipArchive();
  append(archive, entries, options).catch((error: Error) => archive.destroy(error));
  return archive;
}

async function append(
  archive: StoredZipArchive,
  entries: AsyncIterable<ArchiveEntry>,
  options: ReadAheadOptions,
): Promise<void> {
  const ended = new AbortController();
  const end = () => ended.abort();
  // Each block that is being read listens to it.
  setMaxListeners(0, ended.signal);
  const blocks = readAhead(entries, options, ended.signal);
  archive.once('close', end);
  try {
    for (let first = await blocks.next(); !first.done; first = await blocks.next())
      await appendEntry(archive, first.value, blocks);
    await archive.finalize();
  } finally {
    archive.off('close', end);
    end();
    await blocks.return();
  }
}

/** Resolves when the entry is written, or when the archive or its source has ended. */
async function appendEntry(archive: StoredZipArchive, first: LoadedBlock, blocks: Blocks): Promise<void> {
  const { path, date, file } = first.entry;
  const source = file && contentOf(first, blocks);
  let onEntry!: () => void, onError!: (error: Error) => void, onClose!: () => void;
  const written = new Promise<void>((resolve, reject) => {
    onEntry = resolve;
    onError = reject;
    onClose = () => reject(new Error('The archive was closed.'));
  });
  archive.once('entry', onEntry).once('error', onError).once('close', onClose);
  source?.once('error', onError);
  try {
    archive.append(source ?? Buffer.alloc(0), {
      name: path,
      date: clampDate(date),
      type: source ? 'file' : 'directory',
    });
    await written;
  } finally {
    archive.off('entry', onEntry).off('error', onError).off('close', onClose);
    source?.destroy();
  }
}

/** The content of an entry. It passes on whole blocks, because an async generator would need several promises per chunk. */
function contentOf(first: LoadedBlock, blocks: Blocks): Readable {
  let block: LoadedBlock | undefined = first;
  const push = async (content: Readable) => {
    block ??= (await blocks.next()).value ?? undefined;
    if (block === undefined) throw new Error('The archive was closed.');
    for (const chunk of block.chunks) content.push(chunk);
    if (isLastBlock(block)) content.push(null);
    block = undefined;
  };
  return new Readable({
    read() {
      push(this).catch((error: Error) => this.destroy(error));
    },
  });
}

function clampDate(date: Date): Date {
  return new Date(Math.min(LATEST, Math.max(EARLIEST, date.getTime())));
}
