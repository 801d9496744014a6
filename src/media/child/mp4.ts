import { CustomSource, Input, MP4 } from 'mediabunny';
import { MediaError, type DecodeLimits } from '../media.types.js';
import type { FactsOnWire } from '../protocol.js';
import { type ByteSource, SourceError } from './byte-source.js';
import { type Mp4Structure, plausibleDuration, readMp4Structure } from './mp4-structure.js';
import { assertPixels } from './pixels.js';

/** Any codec is welcome in an MP4: what matters here is that there is a picture, how large, and for how long. */
export async function inspectMp4(source: ByteSource, limits: DecodeLimits): Promise<FactsOnWire> {
  const structure = await readMp4Structure(source, limits.maxMoovBytes);
  const reader = new IndexFirstReader(source, structure);
  const input = new Input({
    formats: [MP4],
    source: new CustomSource({
      getSize: () => source.size,
      read: (start, end) => reader.read(start, end),
      handleUnhandledError: () => undefined,
    }),
  });
  try {
    const track = await input.getPrimaryVideoTrack();
    if (!track) throw new MediaError('media_invalid', 'The file holds no video, only sound or other data.');
    const [width, height] = [await track.getDisplayWidth(), await track.getDisplayHeight()].map(
      Math.round,
    ) as [number, number];
    assertPixels(width, height, limits.maxPixels);
    // Only asked of the samples when the index is silent: that unfolds whole tables, which a crafted file makes endless.
    const durationMs = structure.durationMs ?? plausibleDuration((await track.computeDuration()) * 1000);
    return {
      width,
      height,
      durationMs,
      takenAt: structure.takenAt?.toISOString() ?? null,
      placeholder: null,
    };
  } catch (error) {
    // A failed read reaches us wrapped in whatever the parser made of it.
    if (reader.failure) throw reader.failure;
    throw error;
  } finally {
    input.dispose();
  }
}

/** Spares a second download of the index, and remembers why a read failed. */
class IndexFirstReader {
  failure: SourceError | null = null;

  constructor(
    private readonly source: ByteSource,
    private readonly index: Mp4Structure,
  ) {}

  async read(start: number, end: number): Promise<Uint8Array> {
    const { moov, moovStart } = this.index;
    if (start >= moovStart && end <= moovStart + moov.length)
      return moov.subarray(start - moovStart, end - moovStart);
    try {
      return await this.source.read(start, end - start);
    } catch (error) {
      if (error instanceof SourceError) this.failure = error;
      throw error;
    }
  }
}
