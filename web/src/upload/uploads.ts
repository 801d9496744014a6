import type { UploadEngine, UploadSnapshot } from './engine/upload-engine';
import type { IncomingFile, UploadTarget } from './engine/types';
import { readIncoming, type UploadSource } from './incoming';

const EMPTY: UploadSnapshot = {
  rows: [],
  hidden: 0,
  files: { done: 0, total: 0 },
  filled: new Map(),
  bytes: { sent: 0, total: 0 },
  bytesPerSecond: null,
  secondsLeft: null,
  unfinished: 0,
  failed: 0,
  copies: [],
  isPaused: false,
  isOffline: false,
  obstacle: null,
};

const withoutFolders = ({ file }: IncomingFile): IncomingFile => ({ file, folders: [] });

export interface AddResult {
  readonly files: number;
  readonly folders: number;
}

/** The uploads of this page. The engine is loaded with the first of them. */
export class Uploads {
  private engine: UploadEngine | null = null;
  private loading: Promise<UploadEngine> | null = null;
  private readonly listeners = new Set<() => void>();

  constructor(
    private readonly load: () => Promise<UploadEngine>,
    /** Whether the files of a folder are uploaded without the folder. */
    readonly isFlat = false,
  ) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly getSnapshot = (): UploadSnapshot => this.engine?.getSnapshot() ?? EMPTY;

  readonly getEngine = (): UploadEngine | null => this.engine;

  /** Must be called in the handler of a drop or paste; see `readIncoming`. */
  add(source: UploadSource, target: UploadTarget): Promise<AddResult> {
    const incoming = readIncoming(source);
    return this.addIncoming(incoming, target);
  }

  /** Starts the engine, for what an earlier page has left. */
  async resume(): Promise<void> {
    await this.start();
  }

  dispose(): void {
    this.engine?.dispose();
    this.engine = null;
    this.loading = null;
    this.tell();
  }

  private async addIncoming(
    incoming: ReturnType<typeof readIncoming>,
    target: UploadTarget,
  ): Promise<AddResult> {
    const engine = await this.start();
    const added = { files: 0, folders: 0 };
    for await (const { files, emptyFolders } of incoming) {
      if (this.engine !== engine) break;
      added.files += files.length;
      if (files.length > 0) engine.add(this.isFlat ? files.map(withoutFolders) : files, target);
      if (this.isFlat) continue;
      added.folders += emptyFolders.length;
      for (const folders of emptyFolders) await engine.addFolders(folders, target);
    }
    return added;
  }

  private async start(): Promise<UploadEngine> {
    this.loading ??= this.load();
    try {
      const engine = await this.loading;
      if (this.engine !== engine) {
        this.engine = engine;
        engine.subscribe(() => this.tell());
        this.tell();
      }
      return engine;
    } catch (error) {
      this.loading = null;
      throw error;
    }
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}
