import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';

/**
 * A small valid video followed by a box that readers skip, with this many bytes in total. Generated while it is read, never held in memory.
 */
export async function filmOf(sizeBytes) {
  const small = readFileSync(new URL('../../src/embedded/samples/steam.mp4', import.meta.url));
  const head = Buffer.alloc(16);
  head.writeUInt32BE(1, 0);
  head.write('free', 4, 'latin1');
  head.writeBigUInt64BE(BigInt(sizeBytes - small.length), 8);
  const filler = randomBytes(1024 * 1024);
  function* chunks() {
    yield small;
    yield head;
    for (let left = sizeBytes - small.length - head.length; left > 0; left -= filler.length) {
      yield left < filler.length ? filler.subarray(0, left) : filler;
    }
  }
  const hash = createHash('sha256');
  for (const chunk of chunks()) hash.update(chunk);
  return { chunks, sha256: hash.digest('hex') };
}
