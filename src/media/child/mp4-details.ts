import type { MediaDetails } from '../media.types.js';
import { type Box, boxesIn, findBox } from './boxes.js';
import { SourceError } from './byte-source.js';
import type { OpenVideo } from './mp4-input.js';
import type { Mp4Structure } from './mp4-structure.js';

/** For checking where the video can be published. Nothing here is a reason to reject a file. */
export async function movieDetails({ structure, track, findSound }: OpenVideo): Promise<MediaDetails> {
  const details: MediaDetails = indexDetails(structure);
  try {
    details.videoCodec = (await track.getCodec()) ?? 'other';
    const sound = await findSound();
    details.audioCodec = sound && ((await sound.getCodec()) ?? 'other');
    if (sound) details.sampleRate = await sound.getSampleRate();
  } catch (error) {
    if (error instanceof SourceError) throw error;
  }
  return details;
}

/** One track at a time: a crafted index may list millions. */
function indexDetails({ moov, headerSize, isIndexFirst }: Mp4Structure): MediaDetails {
  const details: MediaDetails = { isIndexFirst, hasEditList: false };
  for (const track of boxesIn(moov, headerSize, moov.length)) {
    if (track.type !== 'trak') continue;
    if (findBox(moov, track, 'edts', 'elst')) details.hasEditList = true;
    const isPicture = details.frameRate === undefined && handlerOf(moov, track) === 'vide';
    const frameRate = isPicture ? frameRateOf(moov, track) : null;
    if (frameRate !== null) details.frameRate = frameRate;
  }
  return details;
}

function handlerOf(moov: Buffer, track: Box): string {
  const box = findBox(moov, track, 'mdia', 'hdlr');
  return box && box.end - box.start >= 12 ? moov.toString('latin1', box.start + 8, box.start + 12) : '';
}

/** The average number of frames per second, from the table of durations; null if fragments contain them instead. */
function frameRateOf(moov: Buffer, track: Box): number | null {
  const header = findBox(moov, track, 'mdia', 'mdhd');
  const table = findBox(moov, track, 'mdia', 'minf', 'stbl', 'stts');
  if (!header || !table || header.end - header.start < 24 || table.end - table.start < 8) return null;
  const timescale = moov.readUInt32BE(header.start + (moov[header.start] === 1 ? 20 : 12));
  const entries = Math.min(moov.readUInt32BE(table.start + 4), Math.floor((table.end - table.start - 8) / 8));
  let frames = 0;
  let units = 0;
  for (let entry = 0, at = table.start + 8; entry < entries; entry += 1, at += 8) {
    const count = moov.readUInt32BE(at);
    frames += count;
    units += count * moov.readUInt32BE(at + 4);
  }
  const rate = units > 0 ? (frames * timescale) / units : 0;
  return rate > 0 ? Math.round(rate * 1_000) / 1_000 : null;
}
