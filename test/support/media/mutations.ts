/** A small random generator, so that a failing seed can be reproduced anywhere. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

const EXTREMES = [0, 1, 7, 8, 0x7fffffff, 0x80000000, 0xfffffff0, 0xffffffff];

/** Damages a file as fuzzers do, mostly in the headers, where it has the most effect. */
export function mutate(bytes: Buffer, seed: number): Buffer {
  const random = seeded(seed * 2_654_435_761);
  const pick = (below: number) => Math.floor(random() * below);
  const place = (size: number) =>
    pick(Math.max(1, (random() < 0.7 ? Math.min(bytes.length, 1_500) : bytes.length) - size));
  let result = Buffer.from(bytes);
  for (let rounds = 1 + pick(4); rounds > 0; rounds -= 1) {
    const at = place(4);
    switch (pick(6)) {
      case 0:
        result[at] = (result[at] ?? 0) ^ (1 << pick(8)); // Beyond the end, an assignment does nothing.
        break;
      case 1:
        result[at] = pick(256);
        break;
      case 2:
        if (at + 4 <= result.length) result.writeUInt32BE(EXTREMES[pick(EXTREMES.length)] ?? 0, at);
        break;
      case 3:
        result = Buffer.concat([result.subarray(0, at), result.subarray(at + 1 + pick(64))]);
        break;
      case 4:
        result = Buffer.concat([
          result.subarray(0, at),
          result.subarray(at, at + 1 + pick(200)),
          result.subarray(at),
        ]);
        break;
      default:
        result.fill(pick(2) * 255, Math.min(at, result.length), Math.min(at + 1 + pick(32), result.length));
    }
  }
  return result;
}
