/** Keeps idle decoders of a service that stops for the next one: starting one takes longer than decoding most pictures of the tests. */
import { DecoderChild } from '../../dist/src/media/decoder-child.js';
import { DecoderGroup } from '../../dist/src/media/decoder-group.js';

const MOST_PER_KIND = 3;
const start = DecoderChild.start;
const close = DecoderGroup.prototype.close;
/** By what distinguishes them. */
const spares = new Map();

function sparesOf({ ffmpegPath, limits }, isBackground) {
  const kind = [isBackground, ffmpegPath, limits.maxPixels].join();
  if (!spares.has(kind)) spares.set(kind, []);
  return spares.get(kind);
}

export function keepSpareDecoders() {
  DecoderChild.start = async (options, isBackground) => {
    const kept = sparesOf(options, isBackground);
    for (let child = kept.pop(); child; child = kept.pop()) if (child.alive) return child;
    return start.call(DecoderChild, options, isBackground);
  };
  DecoderGroup.prototype.close = function () {
    const kept = sparesOf(this.options, this.isBackground);
    for (const [child, timer] of this.idle) {
      if (kept.length === MOST_PER_KIND) break;
      clearTimeout(timer);
      this.idle.delete(child);
      this.children.delete(child);
      kept.push(child);
    }
    return close.call(this);
  };
}
