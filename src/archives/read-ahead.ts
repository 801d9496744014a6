import { addAbortSignal, type Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { Problem } from '../common/errors/problem.js';
import type { ByteRange } from '../storage/storage.service.js';
import type { ArchiveEntry } from './archive-plan.js';

const MB = 1024 * 1024;
/** Files are read in blocks of this size, so that a slow download never keeps a connection to the store open. */
const BLOCK_BYTES = 2 * MB;
/** How far to read ahead of the download. Limits the memory of each archive. */
const MAX_BYTES_AHEAD = 4 * MB;
const MAX_BLOCKS_AHEAD = 16;

/** Reads a stored file or a range of it; null if it is missing. */
export type Open = (
  key: string,
  range: ByteRange | undefined,
  signal: AbortSignal,
) => Promise<Readable | null>;

export interface Block {
  readonly entry: ArchiveEntry;
  readonly start: number;
  readonly length: number;
}

export interface LoadedBlock extends Block {
  /** As received from the store: concatenating them would cost more than it saves. */
  readonly chunks: readonly Buffer[];
}

export interface ReadAheadOptions {
  readonly open: Open;
  /** How long the store may go without sending anything. */
  readonly idleMs: number;
}

/**
 * The contents of the entries, block by block and in order, while the next ones are being read, so that the store's latency does not add
 * up. A folder or an empty file has one empty block. All reading stops when `signal` aborts.
 */
export async function* readAhead(
  entries: AsyncIterable<ArchiveEntry>,
  { open, idleMs }: ReadAheadOptions,
  signal: AbortSignal,
): AsyncGenerator<LoadedBlock, void> {
  const blocks = blocksOf(entries);
  const ahead: { block: Block; chunks: Promise<Buffer[]> }[] = [];
  let bytesAhead = 0;
  let next = await blocks.next();
  const hasRoom = (length: number) =>
    ahead.length === 0 || (ahead.length < MAX_BLOCKS_AHEAD && bytesAhead + length <= MAX_BYTES_AHEAD);
  try {
    for (;;) {
      while (!next.done && hasRoom(next.value.length)) {
        const block = next.value;
        const chunks = readBlock(block, open, idleMs, signal);
        // A failure is reported when it is the block's turn.
        chunks.catch(() => undefined);
        bytesAhead += block.length;
        ahead.push({ block, chunks });
        next = await blocks.next();
      }
      const first = ahead.shift();
      if (first === undefined) return;
      const chunks = await first.chunks;
      bytesAhead -= first.block.length;
      yield { ...first.block, chunks };
    }
  } finally {
    await blocks.return();
  }
}

async function* blocksOf(entries: AsyncIterable<ArchiveEntry>): AsyncGenerator<Block, void, void> {
  for await (const entry of entries) {
    const size = entry.file?.sizeBytes ?? 0;
    let start = 0;
    do {
      const length = Math.min(BLOCK_BYTES, size - start);
      yield { entry, start, length };
      start += length;
    } while (start < size);
  }
}

export function isLastBlock({ entry, start, length }: Block): boolean {
  return start + length === (entry.file?.sizeBytes ?? 0);
}

async function readBlock(block: Block, open: Open, idleMs: number, signal: AbortSignal): Promise<Buffer[]> {
  const { entry, length } = block;
  if (entry.file === null) return [];
  const stream = await open(entry.file.key, rangeOf(block), signal);
  if (stream === null)
    throw new Problem('storage_unavailable', 'A stored file is missing.', { retryAfter: 60 });
  return collect(stream, length, idleMs, signal);
}

/** Uses events, because an async iterator would need several promises per chunk. */
function collect(stream: Readable, length: number, idleMs: number, signal: AbortSignal): Promise<Buffer[]> {
  const chunks: Buffer[] = [];
  let received = 0;
  const idle = setTimeout(() => stream.destroy(silent()), idleMs);
  addAbortSignal(signal, stream).on('data', (chunk: Buffer) => {
    idle.refresh();
    chunks.push(chunk);
    received += chunk.length;
    if (received > length) stream.destroy(otherSize());
  });
  return finished(stream)
    .then(() => {
      if (received !== length) throw otherSize();
      return chunks;
    })
    .finally(() => {
      clearTimeout(idle);
      stream.destroy();
    });
}

/** Undefined means the whole file. The last block requests one byte beyond the recorded size, so that a longer file is noticed. */
function rangeOf(block: Block): ByteRange | undefined {
  const { start, length } = block;
  if (length === block.entry.file?.sizeBytes) return undefined;
  return { start, end: start + length - (isLastBlock(block) ? 0 : 1) };
}

function otherSize(): Problem {
  return new Problem('storage_unavailable', 'The size of a stored file does not match its record.');
}

function silent(): Problem {
  return new Problem('storage_unavailable', 'The object store stopped sending data.', { retryAfter: 60 });
}
