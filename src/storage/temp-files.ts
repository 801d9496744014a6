import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FairLimiter, WorkOwner } from '../common/fair-limiter.js';
import { logger } from '../common/logging/logger.js';
import type { Config } from '../config/config.js';
import { InjectConfig } from '../config/config.token.js';
import { byteBudget } from './byte-budget.js';

const PREFIX = 'asset-library-file-';
const TEMP_FILES = join(tmpdir(), PREFIX);
/** No file is processed for that long, so the process that created it has crashed. */
const ABANDONED_MS = 24 * 3_600_000;

/** Local files that are deleted when the work is done. What a crash leaves is deleted at the next start, after a day. */
@Injectable()
export class TempFiles implements OnApplicationBootstrap {
  private readonly budget: FairLimiter;

  constructor(@InjectConfig() { limits }: Config) {
    this.budget = byteBudget(limits.tempBytes);
  }

  /** Waits until the budget for temporary files has room for `bytes`. */
  use<T>(
    owner: WorkOwner,
    bytes: number,
    work: (path: string) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    return this.budget.run(owner, () => this.inDirectory(work), { cost: bytes, signal });
  }

  private async inDirectory<T>(work: (path: string) => Promise<T>): Promise<T> {
    const directory = await mkdtemp(TEMP_FILES);
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
        logger.warn({ err: error, name }, 'could not remove a temporary file'),
      );
    }
  }

  private async removeAbandoned(directory: string): Promise<void> {
    const { uid, mtimeMs } = await stat(directory);
    const isOurs = process.getuid === undefined || uid === process.getuid();
    if (isOurs && Date.now() - mtimeMs > ABANDONED_MS) await rm(directory, { recursive: true, force: true });
  }
}
