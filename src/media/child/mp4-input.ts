import { CustomSource, Input, type InputAudioTrack, type InputVideoTrack, MP4 } from 'mediabunny';
import { MediaError, type DecodeLimits } from '../media.types.js';
import { type ByteSource, SourceError } from './byte-source.js';
import { type Mp4Structure, readMp4Structure } from './mp4-structure.js';
import { requirePixels } from './pixels.js';

export interface OpenVideo {
  structure: Mp4Structure;
  track: InputVideoTrack;
  /** Null if the video is silent. */
  findSound: () => Promise<InputAudioTrack | null>;
  /** Upright, in square pixels. */
  width: number;
  height: number;
}

/** Opens an MP4 during `use`: reads its index and finds its video track. */
export async function withVideo<T>(
  source: ByteSource,
  limits: DecodeLimits,
  use: (video: OpenVideo) => Promise<T>,
): Promise<T> {
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
    if (!track)
      throw new MediaError('media_invalid', 'The file contains no video, only sound or other data.');
    const width = Math.round(await track.getDisplayWidth());
    const height = Math.round(await track.getDisplayHeight());
    requirePixels(width, height, limits.maxPixels);
    const findSound = () => input.getPrimaryAudioTrack();
    return await use({ structure, track, findSound, width, height });
  } catch (error) {
    // A failed read is wrapped in an error of the parser.
    if (reader.failure) throw reader.failure;
    throw error;
  } finally {
    input.dispose();
  }
}

/** Avoids a second download of the index, and remembers why a read failed. */
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
