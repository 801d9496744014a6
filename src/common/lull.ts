export interface LullOptions {
  /** How long nothing may have run. */
  readonly quietMs: number;
  readonly maxWaitMs: number;
  /** One more ends the oldest wait. */
  readonly maxWaiting: number;
}

/** Lets work that nobody waits for start when nothing more urgent has been running for a moment, or when it has waited long enough. */
export class Lull {
  private running = 0;
  private quiet: NodeJS.Timeout | undefined;
  /** Ends each wait; the oldest is first. */
  private readonly waits = new Set<() => void>();

  constructor(private readonly options: LullOptions) {}

  /** There is no lull while this runs. */
  interruptedBy(work: Promise<unknown>): void {
    this.running += 1;
    clearTimeout(this.quiet);
    const end = () => {
      this.running -= 1;
      if (this.running === 0) this.quiet = setTimeout(() => this.endWaits(), this.options.quietMs).unref();
    };
    work.then(end, end);
  }

  /** Called while something urgent is running, whose end starts the lull. */
  async wait(): Promise<void> {
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.waits.delete(end);
        resolve();
      };
      const timer = setTimeout(end, this.options.maxWaitMs).unref();
      this.waits.add(end);
      if (this.waits.size > this.options.maxWaiting) this.endOldestWait();
    });
  }

  endOldestWait(): void {
    for (const end of this.waits) return end();
  }

  endWaits(): void {
    for (const end of this.waits) end();
  }
}
