import {
  BufferTarget,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  type InputVideoTrack,
  Mp4OutputFormat,
  Output,
} from 'mediabunny';
import { MediaError } from '../media.types.js';

/** The maximum number of bytes read for one poster; a second of 8K video is less. */
const MAX_BYTES = 48 * 1024 * 1024;
const MAX_PACKETS = 150;

/**
 * The beginning of a video as a small MP4 that we write ourselves, so that the decoder sees neither the file's own structure nor its
 * address. With `seconds` 0, it contains only the first picture.
 */
export async function excerptOf(track: InputVideoTrack, seconds: number): Promise<Uint8Array> {
  const codec = await track.getCodec();
  const decoderConfig = (await track.getDecoderConfig()) ?? undefined;
  const sink = new EncodedPacketSink(track);
  const first = await sink.getFirstKeyPacket();
  if (!codec || !decoderConfig || !first)
    throw new MediaError(
      'media_invalid',
      'The video uses an encoding from which no picture can be extracted.',
    );

  const source = new EncodedVideoPacketSource(codec);
  const target = new BufferTarget();
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target });
  output.addVideoTrack(source);
  await output.start();
  let [bytes, packets] = [0, 0];
  for (let packet = first; ;) {
    bytes += packet.data.length;
    packets += 1;
    // Shifted by a second, because pictures decoded after the first may be shown before it.
    await source.add(packet.clone({ timestamp: packet.timestamp - first.timestamp + 1 }), { decoderConfig });
    if (seconds === 0 || bytes > MAX_BYTES || packets >= MAX_PACKETS) break;
    const next = await sink.getNextPacket(packet);
    if (!next || next.timestamp > first.timestamp + seconds) break;
    packet = next;
  }
  await output.finalize();
  return new Uint8Array(target.buffer ?? []);
}
