import type { InputVideoTrack } from 'mediabunny';
import type { DecodeLimits } from '../media.types.js';
import type { ByteSource } from './byte-source.js';
import type { Inspected } from './inspect.js';
import { movieDetails } from './mp4-details.js';
import { withVideo } from './mp4-input.js';
import { plausibleDuration } from './mp4-structure.js';

/** Any codec is welcome in an MP4: what matters here is that there is a picture, how large, and for how long. */
export function inspectMp4(
  source: ByteSource,
  limits: DecodeLimits,
): Promise<Pick<Inspected, 'facts' | 'details'>> {
  return withVideo(source, limits, async (video) => {
    const { structure, track, width, height } = video;
    const facts = {
      width,
      height,
      // Only asked of the samples when the index is silent: that unfolds whole tables, which a crafted file makes endless.
      durationMs: structure.durationMs ?? plausibleDuration(await playedMs(track)),
      takenAt: structure.takenAt?.toISOString() ?? null,
      placeholder: null,
    };
    return { facts, details: await movieDetails(video) };
  });
}

/** From the first picture on: encoders leave a gap before it, which players skip. */
async function playedMs(track: InputVideoTrack): Promise<number> {
  return ((await track.computeDuration()) - (await track.getFirstTimestamp())) * 1000;
}
