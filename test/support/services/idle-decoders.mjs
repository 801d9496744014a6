/**
 * Lets all services of this process use the same idle decoders, because starting one takes longer than decoding most pictures of the
 * tests. A service starts more if none is idle, and ends those that it is using when it stops.
 */
import { DecoderGroup } from '../../../dist/src/media/decoder-group.js';

const MOST_PER_KIND = 4;
const { take, park } = DecoderGroup.prototype;
/** By what distinguishes them. */
const kinds = new Map();

function idleDecodersFor({ options: { ffmpegPath, limits }, isBackground }) {
  const kind = [isBackground, ffmpegPath, limits.maxPixels].join();
  if (!kinds.has(kind)) kinds.set(kind, []);
  return kinds.get(kind);
}

export function shareIdleDecoders() {
  DecoderGroup.prototype.take = async function (fresh) {
    const idle = fresh ? [] : idleDecodersFor(this);
    for (let child = idle.pop(); child; child = idle.pop()) {
      if (!child.alive) continue;
      this.children.add(child);
      return child;
    }
    return take.call(this, fresh);
  };
  DecoderGroup.prototype.park = function (child) {
    const idle = idleDecodersFor(this);
    if (idle.length === MOST_PER_KIND) return park.call(this, child);
    this.children.delete(child);
    idle.push(child);
  };
}
