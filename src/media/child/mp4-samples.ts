import { type Box, boxesIn, findBox } from './boxes.js';

/** The offset of the last byte that any track's sample tables refer to; 0 if there are no samples. */
export function sampleDataEnd(moov: Buffer, root: Box): number {
  let end = 0;
  for (const table of sampleTables(moov, root)) end = Math.max(end, trackDataEnd(moov, table));
  return end;
}

/**
 * Shortens tables that give times to more samples than there are. The parser expands them sample by sample, and a few bytes can claim
 * billions.
 */
export function limitTimes(moov: Buffer, root: Box): void {
  for (const table of sampleTables(moov, root)) {
    const samples = readSizes(moov, table)?.count ?? 0;
    for (const box of boxesIn(moov, table.start, table.end))
      if (['stts', 'ctts'].includes(box.type)) limitRuns(moov, box, samples);
  }
}

/** Runs of samples with the same time: the number of samples, then the time. */
function limitRuns(moov: Buffer, box: Box, samples: number): void {
  const first = box.start + 8;
  const end = first + counted(moov, box, 4, 8, 8) * 8;
  for (let at = first, left = samples; at < end; at += 8) {
    const count = Math.min(moov.readUInt32BE(at), left);
    moov.writeUInt32BE(count, at);
    left -= count;
  }
}

/** One track at a time: a crafted index may list millions. */
function* sampleTables(moov: Buffer, root: Box): Generator<Box> {
  for (const track of boxesIn(moov, root.start, root.end)) {
    const table = track.type === 'trak' ? findBox(moov, track, 'mdia', 'minf', 'stbl') : null;
    if (table) yield table;
  }
}

function trackDataEnd(moov: Buffer, table: Box): number {
  let last = 0;
  for (const { end } of chunksOf(moov, table)) last = Math.max(last, end);
  return last;
}

/** The samples of a track, chunk by chunk, as offsets within the file (ISO/IEC 14496-12, 8.7). */
export function* chunksOf(moov: Buffer, table: Box): Generator<{ start: number; end: number }> {
  const offsets = readOffsets(moov, table);
  const sizes = readSizes(moov, table);
  const runs = readRuns(moov, table);
  if (!offsets || !sizes || !runs) return;

  let sample = 0;
  let run = 0;
  for (let chunk = 0; chunk < offsets.count && sample < sizes.count; chunk += 1) {
    while (run + 1 < runs.count && runs.firstChunk(run + 1) <= chunk + 1) run += 1;
    const last = Math.min(sample + runs.samplesPerChunk(run), sizes.count);
    let length = 0;
    if (sizes.constant > 0) length = (last - sample) * sizes.constant;
    else for (let index = sample; index < last; index += 1) length += sizes.of(index);
    sample = last;
    const start = offsets.of(chunk);
    yield { start, end: start + length };
  }
}

interface List {
  count: number;
  of(index: number): number;
}

function readOffsets(moov: Buffer, table: Box): List | null {
  const short = findBox(moov, table, 'stco');
  if (short) {
    const first = short.start + 8;
    return { count: counted(moov, short, 4, 8, 4), of: (index) => moov.readUInt32BE(first + index * 4) };
  }
  const long = findBox(moov, table, 'co64');
  if (!long) return null;
  const first = long.start + 8;
  return {
    count: counted(moov, long, 4, 8, 8),
    of: (index) => Number(moov.readBigUInt64BE(first + index * 8)),
  };
}

function readSizes(moov: Buffer, table: Box): (List & { constant: number }) | null {
  const plain = findBox(moov, table, 'stsz');
  if (plain) {
    const first = plain.start + 12;
    const constant = moov.readUInt32BE(plain.start + 4);
    const count = constant > 0 ? moov.readUInt32BE(plain.start + 8) : counted(moov, plain, 8, 12, 4);
    return { constant, count, of: (index) => moov.readUInt32BE(first + index * 4) };
  }
  const compact = findBox(moov, table, 'stz2');
  if (!compact) return null;
  const first = compact.start + 12;
  const bits = moov[compact.start + 7] ?? 0;
  if (bits === 4) {
    const nibble = (index: number) => ((moov[first + (index >> 1)] ?? 0) >> (index % 2 === 0 ? 4 : 0)) & 15;
    return { constant: 0, count: counted(moov, compact, 8, 12, 0.5), of: nibble };
  }
  const bytes = bits === 16 ? 2 : 1;
  const of = (index: number) => moov.readUIntBE(first + index * bytes, bytes);
  return { constant: 0, count: counted(moov, compact, 8, 12, bytes), of };
}

function readRuns(moov: Buffer, table: Box) {
  const box = findBox(moov, table, 'stsc');
  if (!box) return null;
  const count = counted(moov, box, 4, 8, 12);
  const first = box.start + 8;
  return {
    count,
    firstChunk: (index: number) => moov.readUInt32BE(first + index * 12),
    samplesPerChunk: (index: number) => (count === 0 ? 0 : moov.readUInt32BE(first + index * 12 + 4)),
  };
}

/** An entry count is only trusted as far as its box has room for the entries. */
function counted(moov: Buffer, box: Box, countAt: number, header: number, entry: number): number {
  return Math.min(moov.readUInt32BE(box.start + countAt), Math.floor((box.end - box.start - header) / entry));
}
