import { logger } from '../common/logging/logger.js';
import type { EventsRepository } from './events.repository.js';
import type { LibraryChange } from './library-change.js';

/** Changes are collected for this long after the first one, and at least this long between two reads. */
const GATHER_MS = 25;
const PAUSE_MS = 250;

const PAGE = 1_000;

type Position = Pick<LibraryChange, 'id' | 'position'>;

/** Before the first change. No stream can continue here, because nobody knows whether there were earlier ones. */
const START: Position = { id: 'none', position: 0 };

/** Follows the table of events from its newest change. Every process reads the same changes in the same order. */
export class ChangeReader {
  /** The last change read; null before the first read. */
  last: Position | null = null;
  /** Whether the last read failed, so that somebody has to wake it. */
  hasFailed = false;
  private isInDoubt = false;
  private current: Promise<void> = Promise.resolve();
  private next: Promise<void> | null = null;
  private timer: NodeJS.Timeout | undefined;
  private readAt = 0;

  constructor(
    private readonly events: EventsRepository,
    private readonly onChanges: (changes: readonly LibraryChange[], lastId: string) => void,
    /** Changes were missed that nobody can read any more. */
    private readonly onLoss: (lastId: string) => void,
  ) {}

  /** There may be something to read. */
  wake(): void {
    const pauseLeft = this.readAt + PAUSE_MS - performance.now();
    this.timer ??= setTimeout(
      () => {
        this.timer = undefined;
        this.read().catch((error: unknown) => {
          this.hasFailed = true;
          logger.warn({ err: error }, 'could not read events, trying again');
        });
      },
      Math.max(GATHER_MS, pauseLeft),
    ).unref();
  }

  /** The connection to the database was lost. Its successor may be to a standby or a restored backup, where positions are behind. */
  wakeAfterGap(): void {
    this.isInDoubt = true;
    this.wake();
  }

  /** Reads everything that was committed before the call. */
  read(): Promise<void> {
    this.next ??= this.current = this.current
      .catch(() => undefined)
      .then(() => {
        this.next = null;
        return this.readToEnd();
      });
    return this.next;
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private async readToEnd(): Promise<void> {
    this.readAt = performance.now();
    if (this.last === null) {
      this.last = await this.findEnd();
      return;
    }
    if (this.isInDoubt) await this.resolveDoubt(this.last);
    for (let isFull = true; isFull;) {
      const changes: LibraryChange[] = await this.events.findAfter(this.last.position, PAGE);
      isFull = changes.length === PAGE;
      this.last = changes.at(-1) ?? this.last;
      if (changes.length > 0) this.onChanges(changes, this.last.id);
    }
    this.hasFailed = false;
  }

  private async resolveDoubt(last: Position): Promise<void> {
    if (last !== START && (await this.events.findPosition(last.id)) !== last.position) {
      this.last = await this.findEnd();
      this.onLoss(this.last.id);
    }
    this.isInDoubt = false;
  }

  private async findEnd(): Promise<Position> {
    return (await this.events.findNewest()) ?? START;
  }
}
