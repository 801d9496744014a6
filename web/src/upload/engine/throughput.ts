const WINDOW_MS = 10_000;
const SETTLED_MS = 1_500;

/** The speed over the last few seconds. */
export class Throughput {
  private samples: { at: number; bytes: number }[] = [];

  reset(): void {
    this.samples = [];
  }

  record(sentBytes: number, now: number): void {
    this.samples.push({ at: now, bytes: sentBytes });
    while (this.samples[0] && now - this.samples[0].at > WINDOW_MS) this.samples.shift();
  }

  /** Null until there is enough data. */
  bytesPerSecond(): number | null {
    const [first, last] = [this.samples[0], this.samples.at(-1)];
    if (!first || !last || last.at - first.at < SETTLED_MS) return null;
    const speed = ((last.bytes - first.bytes) * 1_000) / (last.at - first.at);
    return speed > 0 ? speed : null;
  }
}
