import type { QueryClient, QueryKey } from '@tanstack/react-query';

/** The first change is shown immediately; during a burst, one refetch per second is enough. */
const AT_MOST_EVERY_MS = 1_000;
const GATHER_MS = 50;

/** Refetches what changed, without a request for each of many changes. */
export class RefreshQueue {
  private readonly due = new Map<string, QueryKey>();
  private readonly lastAt = new Map<string, number>();
  private timer: ReturnType<typeof setTimeout> | null = null;

  constructor(private readonly client: QueryClient) {}

  add(...keys: readonly QueryKey[]): void {
    for (const key of keys) this.due.set(JSON.stringify(key), key);
    this.schedule();
  }

  private schedule(): void {
    if (this.timer !== null || this.due.size === 0) return;
    const now = Date.now();
    const soonest = Math.min(...[...this.due.keys()].map((name) => this.waitFor(name, now)));
    this.timer = setTimeout(
      () => {
        this.timer = null;
        this.run();
      },
      Math.max(soonest, GATHER_MS),
    );
  }

  private run(): void {
    const now = Date.now();
    for (const [name, queryKey] of this.due) {
      if (this.waitFor(name, now) > 0) continue;
      this.due.delete(name);
      this.lastAt.set(name, now);
      void this.client.invalidateQueries({ queryKey });
    }
    for (const [name, at] of this.lastAt) if (now - at > AT_MOST_EVERY_MS) this.lastAt.delete(name);
    this.schedule();
  }

  private waitFor(name: string, now: number): number {
    return (this.lastAt.get(name) ?? 0) + AT_MOST_EVERY_MS - now;
  }
}

const queues = new WeakMap<QueryClient, RefreshQueue>();

/** Shared, so that an upload and the event that it causes lead to one refetch. */
export function refreshQueueOf(client: QueryClient): RefreshQueue {
  let queue = queues.get(client);
  if (!queue) {
    queue = new RefreshQueue(client);
    queues.set(client, queue);
  }
  return queue;
}
