import { delay } from './delay';

const PROBE_TIMEOUT_MS = 5_000;
const PROBE_PAUSES_MS = [1_000, 2_000, 4_000, 8_000, 15_000];

/**
 * Tracks whether the service can be reached. The browser's online state is often wrong, in both directions (a network
 * without internet, or a service on this computer), so it is only a reason to ask the service. After a request without
 * a response this polls the service until it responds.
 */
export class Connection {
  private readonly listeners = new Set<() => void>();
  private waiting: Promise<void> | null = null;

  constructor(private readonly probeUrl = '/healthz') {
    addEventListener('offline', this.onOffline);
  }

  dispose(): void {
    removeEventListener('offline', this.onOffline);
    this.listeners.clear();
  }

  get isLost(): boolean {
    return this.waiting !== null;
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** After a request without a response: true if the connection was lost. Resolves when it is back. */
  async recover(signal: AbortSignal): Promise<boolean> {
    if (this.waiting === null) await this.check();
    if (this.waiting === null) return false;
    await Promise.race([this.waiting, aborted(signal)]);
    return true;
  }

  private readonly onOffline = (): void => void this.check();

  private async check(): Promise<void> {
    if (!(await this.canReach())) this.waiting ??= this.waitUntilBack();
  }

  private async waitUntilBack(): Promise<void> {
    // A tick later, when `waiting` is set and visible to listeners.
    await Promise.resolve();
    this.tell();
    for (let attempt = 0; ; attempt++) {
      const pause = PROBE_PAUSES_MS[Math.min(attempt, PROBE_PAUSES_MS.length - 1)] ?? 0;
      await Promise.race([delay(pause), nextOnline()]);
      if (await this.canReach()) break;
    }
    this.waiting = null;
    this.tell();
  }

  private async canReach(): Promise<boolean> {
    try {
      const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
      const response = await fetch(this.probeUrl, { cache: 'no-store', signal });
      // A response that is not read to its end occupies its connection.
      await response.text();
      return true;
    } catch {
      return false;
    }
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}

function nextOnline(): Promise<void> {
  return new Promise((resolve) => addEventListener('online', () => resolve(), { once: true }));
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
