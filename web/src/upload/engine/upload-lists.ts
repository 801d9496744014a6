import type { UploadItem, UploadRow } from './upload-item';

const RECENTLY_DONE = 3;
const SHOWN_NEEDING_ATTENTION = 50;
const SHOWN_WAITING = 20;

/** The uploads by state. Finished ones are dropped; thousands may be waiting. */
export class UploadLists {
  readonly active = new Set<UploadItem>();
  readonly paused = new Set<UploadItem>();
  readonly failed = new Set<UploadItem>();
  private waiting: UploadItem[] = [];
  private recent: UploadItem[] = [];

  get unfinishedCount(): number {
    return this.active.size + this.paused.size + this.waiting.length;
  }

  get isAllPaused(): boolean {
    return this.paused.size > 0 && this.paused.size === this.unfinishedCount;
  }

  *unfinished(): Iterable<UploadItem> {
    yield* this.active;
    yield* this.paused;
    yield* this.waiting;
  }

  wait(items: readonly UploadItem[], first = false): void {
    for (const item of items) item.state = 'waiting';
    this.waiting = first ? [...items, ...this.waiting] : [...this.waiting, ...items];
  }

  takeNext(): UploadItem | undefined {
    return this.waiting.shift();
  }

  finish(item: UploadItem): void {
    this.recent = [...this.recent, item].slice(-RECENTLY_DONE);
  }

  forgetRecent(): void {
    this.recent = [];
  }

  /** Removes the item from the list that contains it. */
  remove(item: UploadItem): void {
    for (const list of [this.active, this.paused, this.failed]) list.delete(item);
    if (item.state === 'waiting') this.waiting = this.waiting.filter((other) => other !== item);
  }

  takeAllWaiting(): UploadItem[] {
    return this.waiting.splice(0);
  }

  find(id: string): UploadItem | undefined {
    for (const list of [this.active, this.paused, this.failed, this.waiting])
      for (const item of list) if (item.id === id) return item;
    return undefined;
  }

  /** The most relevant uploads, in order, and the number of those omitted. */
  rows(): { rows: UploadRow[]; hidden: number } {
    const shown = [
      ...this.recent,
      ...this.active,
      ...[...this.failed].slice(0, SHOWN_NEEDING_ATTENTION),
      ...[...this.paused].slice(0, SHOWN_WAITING),
      ...this.waiting.slice(0, SHOWN_WAITING),
    ];
    const all = this.recent.length + this.failed.size + this.unfinishedCount;
    return { rows: shown.map((item) => item.row), hidden: all - shown.length };
  }
}
