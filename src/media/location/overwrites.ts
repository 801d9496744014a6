/** Bytes of a file that are replaced when it leaves. Its length does not change. */
export interface Overwrite {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  /** Null for zeros. */
  readonly bytes: Buffer | null;
}

/**
 * The bytes that leave instead of those of `source`, which starts at `from` within the file. `overwrites` are in order and do not overlap.
 */
export async function* overwritten(
  source: AsyncIterable<Buffer> | Iterable<Buffer>,
  overwrites: readonly Overwrite[],
  from = 0,
): AsyncGenerator<Buffer> {
  let at = from;
  let next = 0;
  for await (const chunk of source) {
    const end = at + chunk.length;
    let bytes = chunk;
    for (; next < overwrites.length && overwrites[next]!.start < end; next += 1) {
      // The source may use its buffer again.
      if (bytes === chunk) bytes = Buffer.from(chunk);
      overwrite(bytes, at, overwrites[next]!);
      if (overwrites[next]!.end > end) break;
    }
    yield bytes;
    at = end;
  }
}

/** `at`: where the chunk starts within the file. */
function overwrite(chunk: Buffer, at: number, { start, end, bytes }: Overwrite): void {
  const from = Math.max(start, at);
  const to = Math.min(end, at + chunk.length);
  if (from >= to) return;
  if (bytes === null) chunk.fill(0, from - at, to - at);
  else bytes.copy(chunk, from - at, from - start, to - start);
}
