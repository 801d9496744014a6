import type { PlannedEntry } from './archive-plan.js';

/** The archive as zip-stream writes it: stored entries with data descriptors, and zip64 where 32 bits are not enough. */
const LOCAL_HEADER = 30;
const DATA_DESCRIPTOR = 16;
const DATA_DESCRIPTOR_ZIP64 = 24;
const CENTRAL_HEADER = 46;
const CENTRAL_ZIP64_EXTRA = 28;
const END = 22;
const END_ZIP64 = 76;
const MAX_32 = 0xffff_ffff;
const MAX_16 = 0xffff;

/** Computes the exact size of the archive before any file is read. */
export class ArchiveSize {
  private entries = 0;
  private offset = 0;
  private central = 0;
  private folderBytes = 0;

  add(entry: PlannedEntry): void {
    if ('path' in entry) {
      this.folderBytes = Buffer.byteLength(entry.path);
      this.addEntry(this.folderBytes, false);
    } else {
      const large = entry.sizeBytes > MAX_32;
      this.addEntry(this.folderBytes + Buffer.byteLength(entry.name), large);
      this.offset += entry.sizeBytes + (large ? DATA_DESCRIPTOR_ZIP64 : DATA_DESCRIPTOR);
    }
  }

  get total(): number {
    const zip64 = this.entries > MAX_16 || this.offset > MAX_32 || this.central > MAX_32;
    return this.offset + this.central + END + (zip64 ? END_ZIP64 : 0);
  }

  private addEntry(pathBytes: number, large: boolean): void {
    this.entries++;
    this.central += CENTRAL_HEADER + pathBytes + (large || this.offset > MAX_32 ? CENTRAL_ZIP64_EXTRA : 0);
    this.offset += LOCAL_HEADER + pathBytes;
  }
}
