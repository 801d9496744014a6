import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';

export interface ZipEntry {
  readonly name: string;
  readonly isUtf8: boolean;
  readonly method: number;
  readonly size: number;
  readonly crc: number;
  /** In UTC, with a precision of two seconds. */
  readonly date: Date;
  /** The offset of its bytes. */
  readonly dataOffset: number;
}

const CHUNK = 1 << 20;

/**
 * A strict reader of stored archives, independent of the writer: it follows the end record, the central directory, each local
 * header and each data descriptor, and throws where two of them disagree, a byte is left over, or a checksum is wrong.
 */
export function readZip(path: string): ZipEntry[] {
  const file = new RandomAccess(path);
  try {
    const end = readEnd(file);
    const entries = readCentral(file, end);
    let offset = 0;
    for (const entry of entries) offset = checkEntry(file, entry, offset);
    demand(offset === end.offset, 'bytes between the last entry and the central directory');
    return entries;
  } finally {
    file.close();
  }
}

export function readContent(path: string, entry: ZipEntry): Buffer {
  const file = new RandomAccess(path);
  try {
    return file.read(entry.dataOffset, entry.size);
  } finally {
    file.close();
  }
}

interface End {
  offset: number;
  size: number;
  count: number;
}

function readEnd(file: RandomAccess): End {
  const at = file.size - 22;
  const record = file.read(at, 22);
  demand(record.readUInt32LE(0) === 0x06054b50, 'no end record at the end');
  demand(record.readUInt16LE(20) === 0, 'an archive comment');
  const end = {
    count: record.readUInt16LE(10),
    size: record.readUInt32LE(12),
    offset: record.readUInt32LE(16),
  };
  const needs64 = end.count === 0xffff || end.size === 0xffffffff || end.offset === 0xffffffff;
  if (!needs64) {
    demand(end.offset + end.size === at, 'the central directory does not reach the end record');
    return end;
  }
  const locator = file.read(at - 20, 20);
  demand(locator.readUInt32LE(0) === 0x07064b50, 'no zip64 locator');
  const at64 = Number(locator.readBigUInt64LE(8));
  const record64 = file.read(at64, 56);
  demand(record64.readUInt32LE(0) === 0x06064b50, 'no zip64 end record');
  const end64 = {
    count: Number(record64.readBigUInt64LE(32)),
    size: Number(record64.readBigUInt64LE(40)),
    offset: Number(record64.readBigUInt64LE(48)),
  };
  demand(end64.offset + end64.size === at64, 'the central directory does not reach the zip64 end record');
  return end64;
}

type Listed = ZipEntry & { headerOffset: number; flags: number; isZip64: boolean; dataOffset: number };

function readCentral(file: RandomAccess, end: End): Listed[] {
  const central = file.read(end.offset, end.size);
  const entries: Listed[] = [];
  let at = 0;
  while (at < central.length) {
    demand(central.readUInt32LE(at) === 0x02014b50, 'no central header');
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) =>
      central.readUInt16LE(at + field),
    );
    const raw = central.subarray(at + 46, at + 46 + nameLength!);
    const extra = central.subarray(at + 46 + nameLength!, at + 46 + nameLength! + extraLength!);
    const wide = zip64Fields(extra);
    const next = (value: number) => (value === 0xffffffff ? Number(wide.shift()) : value);
    const flags = central.readUInt16LE(at + 8);
    const isZip64 = central.readUInt32LE(at + 24) === 0xffffffff;
    const size = next(central.readUInt32LE(at + 24));
    const stored = next(central.readUInt32LE(at + 20));
    const headerOffset = next(central.readUInt32LE(at + 42));
    demand(size === stored, 'a stored entry with two sizes');
    const name = raw.toString('utf8');
    demand(Buffer.from(name).equals(raw), 'a name that is not UTF-8');
    entries.push({
      name,
      isUtf8: (flags & 0x800) !== 0,
      method: central.readUInt16LE(at + 10),
      size,
      crc: central.readUInt32LE(at + 16),
      date: dosDate(central.readUInt16LE(at + 14), central.readUInt16LE(at + 12)),
      dataOffset: 0,
      headerOffset,
      flags,
      isZip64,
    });
    at += 46 + nameLength! + extraLength! + commentLength!;
  }
  demand(entries.length === end.count, `${entries.length} entries instead of the declared ${end.count}`);
  return entries;
}

function zip64Fields(extra: Buffer): bigint[] {
  if (extra.length === 0) return [];
  demand(extra.readUInt16LE(0) === 1 && extra.readUInt16LE(2) === extra.length - 4, 'an unknown extra field');
  return Array.from({ length: (extra.length - 4) >> 3 }, (_, index) => extra.readBigUInt64LE(4 + index * 8));
}

/** Returns the offset at which the next entry must begin. */
function checkEntry(file: RandomAccess, entry: Listed, offset: number): number {
  demand(entry.headerOffset === offset, `${entry.name} does not begin where the previous one ended`);
  const header = file.read(offset, 30);
  demand(header.readUInt32LE(0) === 0x04034b50, `${entry.name} has no local header`);
  demand(header.readUInt16LE(6) === entry.flags, `${entry.name} has different flags in its local header`);
  const nameLength = header.readUInt16LE(26);
  const extraLength = header.readUInt16LE(28);
  demand(
    file.read(offset + 30, nameLength).toString() === entry.name,
    `${entry.name} has a different name in its local header`,
  );
  entry.dataOffset = offset + 30 + nameLength + extraLength;
  let sum = 0;
  for (let done = 0; done < entry.size; done += CHUNK)
    sum = crc32(file.read(entry.dataOffset + done, Math.min(CHUNK, entry.size - done)), sum);
  demand(sum === entry.crc, `${entry.name} does not match its checksum`);
  const after = entry.dataOffset + entry.size;
  if ((entry.flags & 8) === 0) return after;
  // By the entry's own size: zip64 in the central directory may only concern its offset.
  const isWide = entry.size > 0xffff_ffff;
  const descriptor = file.read(after, isWide ? 24 : 16);
  demand(descriptor.readUInt32LE(0) === 0x08074b50, `${entry.name} has no data descriptor`);
  const described = isWide ? Number(descriptor.readBigUInt64LE(16)) : descriptor.readUInt32LE(12);
  demand(described === entry.size, `${entry.name} has a different size in its descriptor`);
  return after + descriptor.length;
}

function dosDate(date: number, time: number): Date {
  return new Date(
    Date.UTC(
      1980 + (date >> 9),
      ((date >> 5) & 15) - 1,
      date & 31,
      time >> 11,
      (time >> 5) & 63,
      (time & 31) * 2,
    ),
  );
}

function demand(condition: boolean, fault: string): void {
  if (!condition) throw new Error(`Not a valid archive: ${fault}.`);
}

class RandomAccess {
  private readonly descriptor: number;
  readonly size: number;

  constructor(path: string) {
    this.descriptor = openSync(path, 'r');
    this.size = fstatSync(this.descriptor).size;
  }

  read(offset: number, length: number): Buffer {
    const buffer = Buffer.alloc(length);
    if (offset < 0 || readSync(this.descriptor, buffer, 0, length, offset) !== length)
      throw new Error('Not a valid archive: it ends too early.');
    return buffer;
  }

  close(): void {
    closeSync(this.descriptor);
  }
}
