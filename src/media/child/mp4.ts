import type { InputVideoTrack } from 'mediabunny';
import type { DecodeLimits } from '../media.types.js';
import type { FactsOnWire } from '../protocol.js';
import type { ByteSource } from './byte-source.js';
import { withVideo } from './mp4-input.js';
import { plausibleDuration } from './mp4-structure.js';

/** Any codec is welcome in an MP4: what matters here is that there is a picture, how large, and for how long. */
export function inspectMp4(source: ByteSource, limits: DecodeLimits): Promise<FactsOnWire> {
  return withVideo(source, limits, async ({ structure, track, width, height }) => ({
    width,
    height,
    // Only asked of the samples when the index is silent: that unfolds whole tables, which a crafted file makes endless.
    durationMs: structure.durationMs ?? plausibleDuration(await playedMs(track)),
    takenAt: structure.takenAt?.toISOString() ?? null,
    placeholder: null,
  }));
}

/** From the first picture on: encoders leave a gap before it, which players skip. */
async function playedMs(track: InputVideoTrack): Promise<number> {
  return ((await track.computeDuration()) - (await track.getFirstTimestamp())) * 1000;
}
