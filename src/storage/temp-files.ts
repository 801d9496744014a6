import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { access, constants, mkdtemp, readdir, rm, stat, statfs, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Problem } from '../common/errors/problem.js';
import type { FairLimiter, WorkOwner } from '../common/fair-limiter.js';
import { KeyedMutex } from '../common/keyed-mutex.js';
import { logger } from '../common/logging/logger.js';
import type { Config } from '../config/config.js';
import { InjectConfig } from '../config/config.token.js';
import { byteBudget } from './byte-budget.js';
import { isLocalError } from './hash-stream.js';

/** `full`: the largest image that can be uploaded does not fit. */
export type TempState = 'ok' | 'full' | 'not_writable';

const PREFIX = 'asset-library-file-';
const FILE = 'file';
const TIDY_MS = 15_000;
/** The process that works on a file shows it more often, so it has been killed. */
const ABANDONED_MS = 120_000;
const RETRY_AFTER_SECONDS = 60;

/** Local files that are deleted when the work is done, or soon after their process was killed. */
@Injectable()
export class TempFiles implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly budget: FairLimiter;
  private readonly reserving = new KeyedMutex();
  /** The directories that this process works in, and the size that their files will have. */
  private readonly inUse = new Map<string, number>();
  private readonly largestBytes: number;
  private reported: TempState = 'ok';
  private timer: NodeJS.Timeout | undefined;

  constructor(@InjectConfig() { limits }: Config) {
    this.budget = byteBudget(limits.tempBytes);
    this.largestBytes = limits.imageBytes;
  }

  /** Waits until the budget for temporary files has room for `bytes`. Throws `server_busy` if the file system has not. */
  use<T>(
    owner: WorkOwner,
    bytes: number,
    work: (path: string) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    return this.budget.run(owner, () => this.inDirectory(bytes, work), { cost: bytes, signal });
  }

  async state(): Promise<TempState> {
    const state = await this.findState();
    if (state !== this.reported) this.report(state);
    return state;
  }

  /** NaN if the directory cannot be used at all. */
  async freeBytes(): Promise<number> {
    try {
      const { bavail, bsize, files, ffree } = await statfs(tmpdir());
      // Some file systems also limit the number of files.
      return files > 0 && ffree === 0 ? 0 : bavail * bsize;
    } catch {
      return Number.NaN;
    }
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.tidy();
    this.timer = setInterval(() => void this.tidy(), TIDY_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Shows other processes which directories are in use, removes those of killed processes, and reports whether there is space. */
  async tidy(): Promise<void> {
    const now = new Date();
    await Promise.all([...this.inUse.keys()].map((path) => utimes(path, now, now).catch(() => undefined)));
    const names = await readdir(tmpdir()).catch(() => []);
    for (const name of names.filter((candidate) => candidate.startsWith(PREFIX))) {
      await this.removeAbandoned(join(tmpdir(), name)).catch((error: unknown) =>
        logger.warn({ err: error, name }, 'could not remove a temporary file'),
      );
    }
    await this.state();
  }

  private async inDirectory<T>(bytes: number, work: (path: string) => Promise<T>): Promise<T> {
    const directory = await this.reserving.run('', () => this.reserve(bytes));
    try {
      return await work(join(directory, FILE));
    } catch (error) {
      throw isLocalError(error) ? await this.unavailable(error) : error;
    } finally {
      this.inUse.delete(directory);
      await rm(directory, { recursive: true, force: true });
    }
  }

  /** Counts what other work has yet to write. Otherwise all of it would begin, and none would have enough space. */
  private async reserve(bytes: number): Promise<string> {
    const { unwritten } = await this.ownBytes();
    if ((await this.freeBytes()) < bytes + unwritten) throw await this.unavailable();
    const directory = await mkdtemp(join(tmpdir(), PREFIX)).catch(async (error: unknown) => {
      throw await this.unavailable(error);
    });
    this.inUse.set(directory, bytes);
    return directory;
  }

  private async ownBytes(): Promise<{ written: number; unwritten: number }> {
    const own = { written: 0, unwritten: 0 };
    for (const [directory, bytes] of [...this.inUse]) {
      const written = await stat(join(directory, FILE)).then(
        ({ size }) => size,
        () => 0,
      );
      own.written += written;
      own.unwritten += Math.max(0, bytes - written);
    }
    return own;
  }

  /** Another process may be removing the same one. */
  private async removeAbandoned(directory: string): Promise<void> {
    const found = await stat(directory).catch(() => null);
    if (found === null || this.inUse.has(directory)) return;
    const isOurs = process.getuid === undefined || found.uid === process.getuid();
    if (isOurs && Date.now() - found.mtimeMs > ABANDONED_MS)
      await rm(directory, { recursive: true, force: true });
  }

  /** What our own files occupy will be free again soon. */
  private async findState(): Promise<TempState> {
    const { written } = await this.ownBytes();
    if ((await this.freeBytes()) + written < this.largestBytes) return 'full';
    return access(tmpdir(), constants.W_OK).then(
      () => 'ok',
      () => 'not_writable',
    );
  }

  private async unavailable(cause?: unknown): Promise<Problem> {
    const detail =
      (await this.state()) === 'not_writable'
        ? 'Temporary files cannot be written.'
        : 'There is not enough space for temporary files.';
    return new Problem('server_busy', detail, { retryAfter: RETRY_AFTER_SECONDS, cause });
  }

  private report(state: TempState): void {
    this.reported = state;
    const directory = tmpdir();
    if (state === 'ok') logger.info({ directory }, 'temporary files can be written again');
    if (state === 'full')
      logger.error(
        { alarm: 'temp_full', directory, neededBytes: this.largestBytes },
        'there is not enough space for temporary files: large images and archives have to wait',
      );
    if (state === 'not_writable')
      logger.error(
        { alarm: 'temp_not_writable', directory },
        'temporary files cannot be written: large images and archives have to wait',
      );
  }
}
