import {
  BufferSource,
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  MP4,
  Mp4OutputFormat,
  Output,
} from 'mediabunny';

/** A video with the picture of one file and the sound of another, without re-encoding either. */
export async function addSound(film: Buffer, sound: Buffer): Promise<Buffer> {
  const open = (bytes: Buffer) => new Input({ formats: [MP4], source: new BufferSource(bytes) });
  const video = (await open(film).getPrimaryVideoTrack())!;
  const audio = (await open(sound).getPrimaryAudioTrack())!;
  const videoSource = new EncodedVideoPacketSource((await video.getCodec())!);
  const audioSource = new EncodedAudioPacketSource((await audio.getCodec())!);
  const target = new BufferTarget();
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target });
  output.addVideoTrack(videoSource);
  output.addAudioTrack(audioSource);
  await output.start();
  const decoderConfig = (await video.getDecoderConfig())!;
  for await (const packet of new EncodedPacketSink(video).packets())
    await videoSource.add(packet, { decoderConfig });
  const audioConfig = (await audio.getDecoderConfig())!;
  for await (const packet of new EncodedPacketSink(audio).packets())
    await audioSource.add(packet, { decoderConfig: audioConfig });
  await output.finalize();
  return Buffer.from(target.buffer!);
}
