/** The archive as zip-stream writes it: stored entries with data descriptors, zip64 where 32 bits do not suffice. */
const LOCAL_HEADER = 30;
const DATA_DESCRIPTOR = 16;
const DATA_DESCRIPTOR_ZIP64 = 24;
const CENTRAL_HEADER = 46;
const CENTRAL_ZIP64_EXTRA = 28;
const END = 22;
const END_ZIP64 = 76;
const MAX_32 = 0xffff_ffff;
const MAX_16 = 0xffff;

export interface SizedEntry {
  readonly path: string;
  /** Null: a folder. */
  readonly sizeBytes: number | null;
}

/** Exactly how many bytes the archive will have, before a single one is read. */
export function archiveSize(entries: readonly SizedEntry[]): number {
  let offset = 0;
  let central = 0;
  for (const { path, sizeBytes } of entries) {
    const nameBytes = Buffer.byteLength(path);
    const large = sizeBytes !== null && sizeBytes > MAX_32;
    central += CENTRAL_HEADER + nameBytes + (large || offset > MAX_32 ? CENTRAL_ZIP64_EXTRA : 0);
    offset += LOCAL_HEADER + nameBytes;
    if (sizeBytes !== null) offset += sizeBytes + (large ? DATA_DESCRIPTOR_ZIP64 : DATA_DESCRIPTOR);
  }
  const zip64 = entries.length > MAX_16 || offset > MAX_32 || central > MAX_32;
  return offset + central + END + (zip64 ? END_ZIP64 : 0);
}
