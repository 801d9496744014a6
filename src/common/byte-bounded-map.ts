/** A map whose values are limited to a total size in bytes. The oldest are removed first. */
export class ByteBoundedMap<V> {
  /** A Map keeps the order of insertion. */
  private readonly items = new Map<string, V>();
  private bytes = 0;

  constructor(
    private readonly maxBytes: number,
    private readonly bytesOf: (value: V) => number,
  ) {}

  has(key: string): boolean {
    return this.items.has(key);
  }

  get(key: string): V | undefined {
    return this.items.get(key);
  }

  /** Makes it the newest. */
  set(key: string, value: V): void {
    this.delete(key);
    this.items.set(key, value);
    this.bytes += this.bytesOf(value);
    for (const oldest of this.items.keys()) {
      if (this.bytes <= this.maxBytes) break;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const value = this.items.get(key);
    if (value === undefined) return;
    this.items.delete(key);
    this.bytes -= this.bytesOf(value);
  }
}
