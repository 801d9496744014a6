import { Connection } from './connection';
import type { Copies, UploadedCopy } from './copies';
import { failureOf, UploadFailure } from './failure';
import { FolderPaths } from './folder-paths';
import type { SessionMemory } from './session-memory';
import { Throughput } from './throughput';
import type { FinalizedAsset, IncomingFile, UploadApi, UploadStep, UploadTarget } from './types';
import { UploadItem, type UploadRow } from './upload-item';
import { UploadLists } from './upload-lists';
import { UploadRun } from './upload-run';

const FILES_AT_A_TIME = 4;
const COPIES_AT_A_TIME = 500;
/** Rendering progress more often than this has no visible benefit. */
const TELL_EVERY_MS = 150;

export interface UploadSnapshot {
  readonly rows: readonly UploadRow[];
  /** The number of uploads that `rows` omits. */
  readonly hidden: number;
  /** For the files added since the engine was last idle. */
  readonly files: { readonly done: number; readonly total: number };
  readonly bytes: { readonly sent: number; readonly total: number };
  readonly bytesPerSecond: number | null;
  readonly secondsLeft: number | null;
  /** The folders of the finished ones, by library; null is the top level. */
  readonly filled: ReadonlyMap<string, ReadonlySet<string | null>>;
  readonly unfinished: number;
  readonly failed: number;
  /** Uploaded although the library already had the file; the user has not decided about them yet. */
  readonly copies: readonly UploadedCopy[];
  readonly isPaused: boolean;
  readonly isOffline: boolean;
  /** Why no more uploads start: they would fail for the same reason. */
  readonly obstacle: UploadFailure | null;
}

export interface EngineOptions {
  apiFor: (basePath: string) => UploadApi;
  memory: SessionMemory;
  /** Null: copies are not the user's to decide about. */
  copies: Copies | null;
  connection?: Connection;
  /** Called when the assets or folders of the library have changed. */
  onChanged: (basePath: string) => void;
  onUploaded?: (asset: FinalizedAsset) => void;
}

export interface RemovedCopies {
  readonly trashed: number;
  readonly kept: number;
  /** What was trashed, for undo. */
  readonly batches: readonly { readonly basePath: string; readonly batchId: string }[];
  /** Why the rest could not be removed; those copies stay listed. */
  readonly error: unknown;
}

/** Uploads files, four at a time, however many are waiting. Does not depend on the page; notifies subscribers of changes. */
export class UploadEngine {
  private readonly lists = new UploadLists();
  private readonly folders: FolderPaths;
  private readonly throughput = new Throughput();
  private readonly connection: Connection;
  private readonly lifetime = new AbortController();
  private readonly listeners = new Set<() => void>();
  private snapshot: UploadSnapshot;
  private timer: ReturnType<typeof setTimeout> | null = null;
  private nextId = 1;
  private isPaused = false;
  private obstacle: UploadFailure | null = null;
  private retries = 0;
  private filled = new Map<string, Set<string | null>>();
  private files = { done: 0, total: 0 };
  private bytes = { done: 0, total: 0 };

  constructor(private readonly options: EngineOptions) {
    this.connection = options.connection ?? new Connection();
    this.folders = new FolderPaths(options.onChanged);
    this.connection.subscribe(() => this.tell());
    this.snapshot = this.takeSnapshot();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly getSnapshot = (): UploadSnapshot => this.snapshot;

  get hasUnfinished(): boolean {
    return this.lists.unfinishedCount > 0;
  }

  add(files: readonly IncomingFile[], target: UploadTarget): void {
    if (!this.hasUnfinished) this.startCounting();
    const items = files.map((incoming) => new UploadItem(String(this.nextId++), incoming, target));
    this.count(items, 1);
    this.lists.wait(items);
    this.advance();
  }

  /** Creates folders that contain no files themselves. */
  async addFolders(folders: readonly string[], target: UploadTarget): Promise<void> {
    await this.folders.resolve(this.options.apiFor(target.basePath), target, folders, this.engineRetries);
  }

  pause(id?: string): void {
    if (id === undefined) {
      this.isPaused = true;
      const active = [...this.lists.active];
      for (const item of active) this.stop(item);
      this.lists.wait(active, true);
    } else {
      const item = this.lists.find(id);
      if (!item) return;
      this.stop(item);
      this.lists.remove(item);
      item.state = 'paused';
      this.lists.paused.add(item);
    }
    this.advance();
  }

  resume(id?: string): void {
    if (id === undefined) this.isPaused = false;
    const items = [...this.lists.paused].filter((item) => id === undefined || item.id === id);
    for (const item of items) this.lists.paused.delete(item);
    this.lists.wait(items, true);
    this.advance();
  }

  retry(id?: string): void {
    this.retries++;
    this.obstacle = null;
    this.isPaused = false;
    if (!this.hasUnfinished) this.startCounting();
    const items = [...this.lists.failed].filter((item) =>
      id === undefined ? !item.failure?.isFinal : item.id === id,
    );
    for (const item of items) {
      this.lists.failed.delete(item);
      item.failure = null;
      item.sentBytes = 0;
    }
    this.count(items, 1);
    this.lists.wait(items, true);
    this.advance();
  }

  /** Cancels one upload, or all unfinished ones. Failures are only removed from the list. */
  cancel(id?: string): void {
    const items =
      id === undefined
        ? [...this.lists.active, ...this.lists.paused, ...this.lists.takeAllWaiting()]
        : [this.lists.find(id)].filter((item) => item !== undefined);
    if (id === undefined) this.isPaused = false;
    for (const item of items) {
      const wasCounted = item.state !== 'failed';
      this.lists.remove(item);
      if (wasCounted) this.count([item], -1);
      void this.giveUp(item);
    }
    if (this.lists.failed.size === 0) this.obstacle = null;
    this.advance();
  }

  dismissFailed(): void {
    for (const item of this.lists.failed) void this.giveUp(item);
    this.lists.failed.clear();
    this.obstacle = null;
    this.advance();
  }

  keepCopies(copies: readonly UploadedCopy[]): void {
    this.options.copies?.remove(copies.map(({ assetId }) => assetId));
    this.tell();
  }

  /** Moves new copies to the trash; the existing assets stay. */
  async removeCopies(copies: readonly UploadedCopy[]): Promise<RemovedCopies> {
    const removed = { trashed: 0, kept: 0, batches: [] as { basePath: string; batchId: string }[] };
    try {
      for (const [basePath, assetIds] of inSlices(copies)) {
        const { trashed, kept, batchId } = await this.options.apiFor(basePath).trashCopies(assetIds);
        removed.trashed += trashed.length;
        removed.kept += kept.length;
        if (batchId !== null) removed.batches.push({ basePath, batchId });
        this.options.copies?.remove(assetIds);
        this.tell();
        this.options.onChanged(basePath);
      }
      return { ...removed, error: null };
    } catch (error) {
      return { ...removed, error };
    }
  }

  clearFinished(): void {
    this.lists.forgetRecent();
    if (!this.hasUnfinished) this.startCounting();
    this.tell();
  }

  /** Stops everything; open sessions stay stored. */
  dispose(): void {
    this.lifetime.abort(new DOMException('The page is closed', 'AbortError'));
    for (const item of this.lists.active) item.abort?.abort();
    this.listeners.clear();
    this.connection.dispose();
    if (this.timer) clearTimeout(this.timer);
  }

  private get engineRetries() {
    return { connection: this.connection, signal: this.lifetime.signal };
  }

  private startCounting(): void {
    this.filled = new Map();
    this.files = { done: 0, total: 0 };
    this.bytes = { done: 0, total: 0 };
    this.throughput.reset();
    this.lists.forgetRecent();
    this.folders.forgetAll();
  }

  private count(items: readonly UploadItem[], sign: 1 | -1): void {
    this.files.total += sign * items.length;
    this.bytes.total += sign * items.reduce((sum, { size }) => sum + size, 0);
  }

  private advance(): void {
    while (!this.isPaused && !this.obstacle && this.lists.active.size < FILES_AT_A_TIME) {
      const item = this.lists.takeNext();
      if (!item) break;
      this.lists.active.add(item);
      item.running = this.run(item, item.running);
    }
    this.tell();
  }

  private async run(item: UploadItem, previous: Promise<void> | null): Promise<void> {
    const abort = new AbortController();
    item.abort = abort;
    item.state = 'starting';
    await previous;
    const { retries } = this;
    try {
      const asset = await this.runOf(item, abort.signal).run();
      if (!abort.signal.aborted) this.finished(item, asset);
    } catch (error) {
      const failure = failureOf('session', error);
      const isOutdated = failure.concernsAll && retries !== this.retries;
      if (isOutdated && !abort.signal.aborted) this.runAgain(item);
      else if (!abort.signal.aborted) this.failed(item, failure);
    }
    this.advance();
  }

  private runOf(item: UploadItem, signal: AbortSignal): UploadRun {
    const { memory } = this.options;
    const { incoming, target } = item;
    const isCurrent = () => item.abort?.signal === signal && !signal.aborted;
    return new UploadRun(
      {
        api: this.options.apiFor(target.basePath),
        folders: this.folders,
        memory,
        engine: this.engineRetries,
      },
      {
        file: incoming.file,
        folderNames: incoming.folders,
        target,
        signal,
        onStep: (step) => {
          if (!isCurrent()) return;
          item.state = STATE_OF[step];
          this.tell();
        },
        onProgress: (sentBytes) => {
          if (!isCurrent()) return;
          item.sentBytes = sentBytes;
          this.tell();
        },
      },
    );
  }

  private finished(item: UploadItem, asset: FinalizedAsset): void {
    this.lists.remove(item);
    item.asset = asset;
    item.sentBytes = item.size;
    this.files.done++;
    this.bytes.done += item.size;
    item.state = 'done';
    this.lists.finish(item);
    const { duplicateOf, assetId } = asset;
    const { file, folders } = item.incoming;
    const { basePath } = item.target;
    if (duplicateOf) this.options.copies?.add({ assetId, duplicateOf, name: file.name, folders, basePath });
    this.filled.set(basePath, (this.filled.get(basePath) ?? new Set()).add(asset.folderId));
    this.options.onChanged(basePath);
    this.options.onUploaded?.(asset);
  }

  private failed(item: UploadItem, failure: UploadFailure): void {
    this.lists.remove(item);
    this.count([item], -1);
    item.state = 'failed';
    item.failure = failure;
    item.sentBytes = 0;
    this.lists.failed.add(item);
    if (failure.concernsAll) this.obstacle = failure;
  }

  /** The obstacle may have been removed since this upload met it: the user has asked to try again. */
  private runAgain(item: UploadItem): void {
    this.lists.remove(item);
    item.sentBytes = 0;
    this.lists.wait([item], true);
  }

  private stop(item: UploadItem): void {
    item.abort?.abort(new DOMException('Paused', 'AbortError'));
    this.lists.active.delete(item);
  }

  private async giveUp(item: UploadItem): Promise<void> {
    const wasTouched = item.running !== null;
    item.state = 'cancelled';
    item.abort?.abort(new DOMException('Cancelled', 'AbortError'));
    await item.running;
    if (wasTouched) await this.runOf(item, AbortSignal.abort()).abandon();
  }

  private tell(): void {
    this.timer ??= setTimeout(() => {
      this.timer = null;
      this.snapshot = this.takeSnapshot();
      for (const listener of this.listeners) listener();
    }, TELL_EVERY_MS);
  }

  private takeSnapshot(): UploadSnapshot {
    const { lists, throughput } = this;
    let sent = this.bytes.done;
    for (const item of lists.unfinished()) sent += item.sentBytes;
    const isMoving = lists.active.size > 0 && !this.connection.isLost;
    if (isMoving) throughput.record(sent, performance.now());
    else throughput.reset();
    const bytesPerSecond = throughput.bytesPerSecond();
    return {
      ...lists.rows(),
      files: { ...this.files },
      filled: this.filled,
      bytes: { sent, total: this.bytes.total },
      bytesPerSecond,
      secondsLeft:
        bytesPerSecond && sent < this.bytes.total ? (this.bytes.total - sent) / bytesPerSecond : null,
      unfinished: lists.unfinishedCount,
      failed: lists.failed.size,
      copies: this.options.copies?.all ?? [],
      isPaused: this.isPaused || lists.isAllPaused,
      isOffline: this.connection.isLost,
      obstacle: this.obstacle,
    };
  }
}

function* inSlices(copies: readonly UploadedCopy[]): Iterable<[basePath: string, assetIds: string[]]> {
  for (const basePath of new Set(copies.map((copy) => copy.basePath))) {
    const assetIds = copies.filter((copy) => copy.basePath === basePath).map(({ assetId }) => assetId);
    for (let start = 0; start < assetIds.length; start += COPIES_AT_A_TIME)
      yield [basePath, assetIds.slice(start, start + COPIES_AT_A_TIME)];
  }
}

const STATE_OF = {
  folder: 'starting',
  session: 'starting',
  transfer: 'sending',
  finalize: 'checking',
} as const satisfies Record<UploadStep, string>;
