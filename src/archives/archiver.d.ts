/** The part of archiver 8 and its zip-stream 7 that we use; the packages ship no types. */
declare module 'archiver' {
  import type { Readable } from 'node:stream';
  import { Transform } from 'node:stream';
  import type ZipStream from 'zip-stream';

  export class ZipArchive extends Transform {
    constructor(options: { store?: boolean });
    append(source: Readable | Buffer, entry: { name: string; date: Date; type?: 'file' | 'directory' }): this;
    finalize(): Promise<void>;
    protected _module: { engine: ZipStream };
    protected _modulePipe(): void;
    protected _moduleUnpipe(): void;
  }
}

declare module 'zip-stream' {
  import type { Readable } from 'node:stream';
  import { Transform } from 'node:stream';

  export interface ZipArchiveEntry {
    getGeneralPurposeBit(): { useDataDescriptor(use: boolean): void };
    setVersionNeededToExtract(version: number): void;
    setCrc(crc: number): void;
    setSize(size: number): void;
    setCompressedSize(size: number): void;
  }

  export default class ZipStream extends Transform {
    constructor(options: { store?: boolean });
    isZip64(): boolean;
    protected offset: number;
    protected _entries: ZipArchiveEntry[];
    protected _archive: { finish: boolean; finished: boolean; centralOffset: number; centralLength: number };
    protected _appendStream(
      entry: ZipArchiveEntry,
      source: Readable,
      callback: (error: Error | null, entry?: ZipArchiveEntry) => void,
    ): void;
    protected _afterAppend(entry: ZipArchiveEntry): void;
    protected _finish(): void;
    protected _writeLocalFileHeader(entry: ZipArchiveEntry): void;
    protected _writeCentralFileHeader(entry: ZipArchiveEntry): void;
    protected _writeCentralDirectoryZip64(): void;
    protected _writeCentralDirectoryEnd(): void;
  }
}
