import { setImmediate as nextTurn } from 'node:timers/promises';

const MAX_MS = 5;

/** For loops over what callers wrote, which may take long: other requests get their turn every few milliseconds. */
export class Turns {
  private startedAt = performance.now();

  /** To be called for each item. */
  async yield(): Promise<void> {
    if (performance.now() - this.startedAt < MAX_MS) return;
    await nextTurn();
    this.startedAt = performance.now();
  }
}
