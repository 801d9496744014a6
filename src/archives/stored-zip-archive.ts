import { ZipArchive } from 'archiver';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import ZipStream, { type ZipArchiveEntry } from 'zip-stream';

const DATA_DESCRIPTOR_VERSION = 20;
const ENTRIES_PER_PAGE = 500;

/** archiver for stored entries, at half the cost: archiver computes checksums in JavaScript and has no option to change that. */
export class StoredZipArchive extends ZipArchive {
  constructor() {
    super({ store: true });
    this._moduleUnpipe();
    this._module.engine = new StoredZipStream({ store: true });
    this._modulePipe();
  }
}

class StoredZipStream extends ZipStream {
  /** Node computes the checksum. */
  protected override _appendStream(
    entry: ZipArchiveEntry,
    source: Readable,
    callback: (error: Error | null, entry?: ZipArchiveEntry) => void,
  ): void {
    entry.getGeneralPurposeBit().useDataDescriptor(true);
    entry.setVersionNeededToExtract(DATA_DESCRIPTOR_VERSION);
    this._writeLocalFileHeader(entry);
    let crc = 0;
    let size = 0;
    source.on('data', (chunk: Buffer) => {
      crc = crc32(chunk, crc);
      size += chunk.length;
    });
    source.once('error', callback);
    source.once('end', () => {
      entry.setCrc(crc);
      entry.setSize(size);
      entry.setCompressedSize(size);
      this._afterAppend(entry);
      callback(null, entry);
    });
    source.pipe(this, { end: false });
  }

  protected override _finish(): void {
    this.writeCentralDirectory().catch((error: Error) => this.destroy(error));
  }

  /** In pages: writing 100,000 entries in one go would block the process for a second. */
  private async writeCentralDirectory(): Promise<void> {
    this._archive.finish = true;
    this._archive.finished = true;
    this._archive.centralOffset = this.offset;
    for (const [index, entry] of this._entries.entries()) {
      this._writeCentralFileHeader(entry);
      if (index % ENTRIES_PER_PAGE === 0 && this.writableNeedDrain) await once(this, 'drain');
    }
    this._archive.centralLength = this.offset - this._archive.centralOffset;
    if (this.isZip64()) this._writeCentralDirectoryZip64();
    this._writeCentralDirectoryEnd();
    this.end();
  }
}
