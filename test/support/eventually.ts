import { setTimeout as delay } from 'node:timers/promises';

/** Repeats the check until it no longer throws. After the timeout, its last error fails the test. */
export async function eventually<T>(
  check: () => T | Promise<T>,
  withinMs = 45_000,
  pauseMs = 60,
): Promise<T> {
  for (const end = Date.now() + withinMs; ; await delay(pauseMs)) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}

/** An event that happens once and can be awaited. */
export class Signal {
  private pass!: () => void;
  private readonly passed = new Promise<void>((resolve) => (this.pass = resolve));

  fire(): void {
    this.pass();
  }

  /** Fails after a timeout and names what did not happen. */
  async wait(what = 'the signal', withinMs = 45_000): Promise<void> {
    const end = new AbortController();
    const late = delay(withinMs, true, { signal: end.signal }).catch(() => false);
    const isLate = await Promise.race([this.passed.then(() => false), late]);
    end.abort();
    if (isLate) throw new Error(`${what} did not happen within ${withinMs} ms`);
  }
}
