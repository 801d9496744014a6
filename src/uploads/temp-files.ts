import { Injectable } from '@nestjs/common';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Local files that are gone when the work is done. What a crash leaves behind lies in the system's temporary directory. */
@Injectable()
export class TempFiles {
  async use<T>(work: (path: string) => Promise<T>): Promise<T> {
    const directory = await mkdtemp(join(tmpdir(), 'asset-library-'));
    try {
      return await work(join(directory, 'file'));
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  }
}
