import { Problem } from '../common/errors/problem.js';

interface Slots {
  running: number;
  readonly waiting: (() => void)[];
}

/** Lets each client do a few things at once. The rest wait their turn, but not for long. */
export class ClientSlots {
  private readonly clients = new Map<string, Slots>();

  constructor(
    private readonly perClient: number,
    private readonly waitMs: number,
  ) {}

  async use<T>(clientId: string, work: () => Promise<T>): Promise<T> {
    await this.take(clientId);
    try {
      return await work();
    } finally {
      this.release(clientId);
    }
  }

  private async take(clientId: string): Promise<void> {
    const slots = this.clients.get(clientId) ?? { running: 0, waiting: [] };
    this.clients.set(clientId, slots);
    if (slots.running < this.perClient) {
      slots.running++;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const start = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        slots.waiting.splice(slots.waiting.indexOf(start), 1);
        reject(
          new Problem('server_busy', 'Too many searches and listings of this client are running.', {
            retryAfter: 2,
          }),
        );
      }, this.waitMs);
      slots.waiting.push(start);
    });
  }

  /** Whoever waited longest takes over the slot. */
  private release(clientId: string): void {
    const slots = this.clients.get(clientId)!;
    const next = slots.waiting.shift();
    if (next) next();
    else if (--slots.running === 0) this.clients.delete(clientId);
  }
}
