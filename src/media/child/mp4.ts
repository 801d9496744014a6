import type { InputVideoTrack } from 'mediabunny';
import type { DecodeLimits } from '../media.types.js';
import type { ByteSource } from './byte-source.js';
import type { Inspected } from './inspected.js';
import { movieDetails } from './mp4-details.js';
import { withVideo } from './mp4-input.js';
import { plausibleDuration } from './mp4-structure.js';

/** An MP4 may use any codec. What matters here is that there is a picture, its size, and the duration. */
export function inspectMp4(source: ByteSource, limits: DecodeLimits): Promise<Inspected> {
  return withVideo(source, limits, async (video) => {
    const { structure, track, width, height } = video;
    const facts = {
      width,
      height,
      // Only computed from the samples if the index does not contain it: that expands whole tables, which a crafted file can make endless.
      durationMs: structure.durationMs ?? plausibleDuration(await playedMs(track)),
      takenAt: structure.takenAt?.toISOString() ?? null,
      placeholder: null,
    };
    return { facts, details: await movieDetails(video) };
  });
}

/** From the first picture: encoders leave a gap before it, which players skip. */
async function playedMs(track: InputVideoTrack): Promise<number> {
  return ((await track.computeDuration()) - (await track.getFirstTimestamp())) * 1000;
}
