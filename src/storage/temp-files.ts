import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { logger } from '../common/logging/logger.js';

const PREFIX = 'asset-library-file-';
/** No file is worked on for that long: whoever made it is gone. */
const ABANDONED_MS = 24 * 3_600_000;

/** Local files that are gone when the work is done; what a crash left behind goes at the next start, a day later. */
@Injectable()
export class TempFiles implements OnApplicationBootstrap {
  async use<T>(work: (path: string) => Promise<T>): Promise<T> {
    const directory = await mkdtemp(join(tmpdir(), PREFIX));
    try {
      return await work(join(directory, 'file'));
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  }

  async onApplicationBootstrap(): Promise<void> {
    const names = await readdir(tmpdir()).catch(() => []);
    for (const name of names.filter((candidate) => candidate.startsWith(PREFIX))) {
      await this.removeAbandoned(join(tmpdir(), name)).catch((error: unknown) =>
        logger.warn({ err: error, name }, 'a temporary file could not be removed'),
      );
    }
  }

  private async removeAbandoned(directory: string): Promise<void> {
    const { uid, mtimeMs } = await stat(directory);
    const isOurs = process.getuid === undefined || uid === process.getuid();
    if (isOurs && Date.now() - mtimeMs > ABANDONED_MS) await rm(directory, { recursive: true, force: true });
  }
}
