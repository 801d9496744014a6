import { randomBytes } from 'node:crypto';

/** Secret, so that nobody can choose names that collide. */
const SEED = randomBytes(8);
const SEED_HIGH = SEED.readUInt32LE(0);
const SEED_LOW = SEED.readUInt32LE(4);
const SMALLEST = 16;
const { imul } = Math;

/**
 * Maps names to positive integers with 16 to 32 bytes per name, whatever their length. It only stores 64-bit hashes: in the rare case of
 * equal hashes, the names count as equal.
 */
export class NameTable {
  private count = 0;
  private capacity = SMALLEST;
  private high = new Uint32Array(SMALLEST);
  private low = new Uint32Array(SMALLEST);
  /** 0 means that the slot is free. */
  private values = new Uint32Array(SMALLEST);

  get(name: string): number | undefined {
    const [high, low] = hash(name);
    return this.values[this.slotOf(high, low)] || undefined;
  }

  set(name: string, value: number): void {
    const [high, low] = hash(name);
    this.put(high, low, value);
    if (this.count * 4 > this.capacity * 3) this.grow();
  }

  private put(high: number, low: number, value: number): void {
    const slot = this.slotOf(high, low);
    if (this.values[slot] === 0) this.count++;
    this.high[slot] = high;
    this.low[slot] = low;
    this.values[slot] = value;
  }

  /** The slot of the hash, or the free slot where it belongs. */
  private slotOf(high: number, low: number): number {
    let slot = low & (this.capacity - 1);
    while (this.values[slot] !== 0 && (this.high[slot] !== high || this.low[slot] !== low))
      slot = (slot + 1) & (this.capacity - 1);
    return slot;
  }

  private grow(): void {
    const { high, low, values } = this;
    this.count = 0;
    this.capacity *= 2;
    this.high = new Uint32Array(this.capacity);
    this.low = new Uint32Array(this.capacity);
    this.values = new Uint32Array(this.capacity);
    for (const [slot, value] of values.entries()) if (value !== 0) this.put(high[slot]!, low[slot]!, value);
  }
}

/** Two multiplicative hashes over the UTF-16 units, mixed at the end (cyrb53, with all 64 bits kept). */
function hash(text: string): [high: number, low: number] {
  let high = SEED_HIGH;
  let low = SEED_LOW;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    high = imul(high ^ unit, 2654435761);
    low = imul(low ^ unit, 1597334677);
  }
  high = imul(high ^ (high >>> 16), 2246822507) ^ imul(low ^ (low >>> 13), 3266489909);
  low = imul(low ^ (low >>> 16), 2246822507) ^ imul(high ^ (high >>> 13), 3266489909);
  return [high >>> 0, low >>> 0];
}
