/** A page of thumbnails requests its pictures at the same moment. */
const MAX_KEYS = 100;

interface Waiting<V> {
  readonly resolve: (value: V | null) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Collects the keys requested in one turn of the event loop and loads them together, each key once. It caches nothing: later requests load
 * again.
 */
export class Batch<V> {
  private open: Map<string, Waiting<V>[]> | null = null;

  /** `load` returns the values found, by key. */
  constructor(private readonly load: (keys: string[]) => Promise<ReadonlyMap<string, V>>) {}

  find(key: string): Promise<V | null> {
    return new Promise((resolve, reject) => {
      const batch = this.open ?? this.begin();
      const waiting = batch.get(key);
      if (waiting) waiting.push({ resolve, reject });
      else batch.set(key, [{ resolve, reject }]);
      if (batch.size >= MAX_KEYS) this.open = null;
    });
  }

  private begin(): Map<string, Waiting<V>[]> {
    const batch = new Map<string, Waiting<V>[]>();
    this.open = batch;
    setImmediate(() => void this.end(batch));
    return batch;
  }

  private async end(batch: Map<string, Waiting<V>[]>): Promise<void> {
    if (this.open === batch) this.open = null;
    try {
      const found = await this.load([...batch.keys()]);
      for (const [key, waiting] of batch) for (const { resolve } of waiting) resolve(found.get(key) ?? null);
    } catch (error) {
      for (const waiting of batch.values()) for (const { reject } of waiting) reject(error);
    }
  }
}
