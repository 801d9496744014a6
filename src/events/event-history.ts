import { createHmac, randomBytes } from 'node:crypto';
import type { LibraryChange } from './library-change.js';

const MAX_CHANGES = 5_000;

/**
 * The latest changes of all clients in commit order, which is the same in every process. The ids are the same too, so a client that
 * reconnects to another process can continue there. Ids reveal nothing, not even how much other clients do.
 */
export class EventHistory {
  private readonly changes: LibraryChange[] = [];
  private readonly positions = new Map<string, number>();
  private readonly ids: string[] = [];
  /** The number of changes dropped from the front. */
  private dropped = 0;
  private latest: { transaction: string; count: number } = { transaction: '', count: 0 };

  /** Represents everything before the first known change. Only this process knows it. */
  private startId = '';

  constructor(private readonly secret: string) {
    this.begin();
  }

  get lastId(): string {
    return this.ids.at(-1) ?? this.startId;
  }

  add(change: LibraryChange): void {
    const { transaction } = change;
    const count = transaction === this.latest.transaction ? this.latest.count + 1 : 0;
    this.latest = { transaction, count };
    const id = createHmac('sha256', this.secret)
      .update(`${transaction} ${count}`)
      .digest('base64url')
      .slice(0, 16);
    this.positions.set(id, this.dropped + this.changes.length);
    this.changes.push(change);
    this.ids.push(id);
    if (this.changes.length > 2 * MAX_CHANGES) this.drop(MAX_CHANGES);
  }

  /** The client's changes after the one with this id; null if the id is too old or unknown. */
  after(id: string, clientId: string): LibraryChange[] | null {
    const position = this.positions.get(id);
    if (position === undefined) return null;
    return this.changes.slice(position - this.dropped + 1).filter((change) => change.clientId === clientId);
  }

  /** Changes may have been missed, so no stream can continue from here. */
  clear(): void {
    this.drop(this.changes.length);
    this.latest = { transaction: '', count: 0 };
    this.begin();
  }

  private begin(): void {
    this.startId = randomBytes(12).toString('base64url');
    this.positions.set(this.startId, this.dropped - 1);
  }

  private drop(count: number): void {
    this.changes.splice(0, count);
    this.positions.delete(this.startId);
    for (const id of this.ids.splice(0, count)) this.positions.delete(id);
    this.dropped += count;
  }
}
