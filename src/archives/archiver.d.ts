/** The part of archiver 8 that we use; the package ships no types. */
declare module 'archiver' {
  import type { Readable } from 'node:stream';
  import { Transform } from 'node:stream';

  export class ZipArchive extends Transform {
    constructor(options: { store?: boolean });
    append(source: Readable | Buffer, entry: { name: string; date: Date; type?: 'file' | 'directory' }): this;
    finalize(): Promise<void>;
  }
}
