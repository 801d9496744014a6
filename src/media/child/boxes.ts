/** A box of an ISO base media file (ISO/IEC 14496-12), by the offsets of its content within a buffer. */
export interface Box {
  type: string;
  start: number;
  end: number;
}

export interface BoxHeader {
  type: string;
  headerSize: number;
  /** 0 means up to the end of the file. */
  size: number;
}

/** Null if no box can start here. */
export function readBoxHeader(bytes: Buffer, at: number): BoxHeader | null {
  if (at + 8 > bytes.length) return null;
  const size = bytes.readUInt32BE(at);
  const type = bytes.toString('latin1', at + 4, at + 8);
  if (size === 0) return { type, headerSize: 8, size: 0 };
  if (size !== 1) return size < 8 ? null : { type, headerSize: 8, size };
  if (at + 16 > bytes.length) return null;
  const large = bytes.readUInt32BE(at + 8) * 2 ** 32 + bytes.readUInt32BE(at + 12);
  return large < 16 ? null : { type, headerSize: 16, size: large };
}

/** The boxes between two offsets. Stops at the first one that does not fit; players do not see anything after it either. */
export function* boxesIn(bytes: Buffer, start: number, end: number): Generator<Box> {
  for (let at = start; at < end;) {
    const header = readBoxHeader(bytes, at);
    if (!header) return;
    const next = header.size === 0 ? end : at + header.size;
    if (next > end) return;
    yield { type: header.type, start: at + header.headerSize, end: next };
    at = next;
  }
}

/** Follows a path of box types, the first match each time. */
export function findBox(bytes: Buffer, within: Box, ...path: string[]): Box | null {
  let current: Box | null = within;
  for (const type of path) {
    if (!current) return null;
    const { start, end }: Box = current;
    current = null;
    for (const box of boxesIn(bytes, start, end)) {
      if (box.type !== type) continue;
      current = box;
      break;
    }
  }
  return current;
}
