import { MediaError } from '../media.types.js';
import { type Box, findBox, readBoxHeader } from './boxes.js';
import type { ByteSource } from './byte-source.js';
import { limitTimes, sampleDataEnd } from './mp4-samples.js';

export interface Mp4Structure {
  moov: Buffer;
  moovStart: number;
  headerSize: number;
  /** Whether no data precedes it: then playback can begin before the download ends. */
  isIndexFirst: boolean;
  takenAt: Date | null;
  /** Null if the index does not contain it: fragmented files often leave it to the fragments. */
  durationMs: number | null;
}

/** Live recordings have thousands of fragments, each a request to the store. Beyond this number, the rest is not checked. */
const MAX_FRAGMENT_BOXES = 1_000;
const MAX_BOXES_BEFORE_MOOV = 1_000;
const FRAGMENT_BOXES = new Set(['moof', 'mdat', 'sidx', 'styp', 'mfra']);

/** Finds the index and verifies that all data it refers to exists. */
export async function readMp4Structure(source: ByteSource, maxMoovBytes: number): Promise<Mp4Structure> {
  const { start, headerSize, end, isIndexFirst } = await findMoov(source);
  if (end - start > maxMoovBytes) throw new MediaError('media_invalid', "The video's index is too large.");
  const moov = await source.read(start, end - start);
  const root: Box = { type: 'moov', start: headerSize, end: moov.length };
  const fragmented = findBox(moov, root, 'mvex') !== null;

  const dataEnd = sampleDataEnd(moov, root);
  if (dataEnd > source.size) throw cutOff();
  limitTimes(moov, root);
  const fragments = fragmented ? await walkFragments(source, end) : 0;
  if (dataEnd === 0 && fragments === 0)
    throw new MediaError('media_invalid', 'The video contains no frames.');
  return { moov, moovStart: start, headerSize, isIndexFirst, ...readMovieHeader(moov, root) };
}

interface FoundMoov {
  start: number;
  headerSize: number;
  end: number;
  isIndexFirst: boolean;
}

async function findMoov(source: ByteSource): Promise<FoundMoov> {
  let isIndexFirst = true;
  for (let at = 0, boxes = 0; boxes < MAX_BOXES_BEFORE_MOOV && at < source.size; boxes += 1) {
    const header = readBoxHeader(await source.read(at, 16), 0);
    if (!header) break;
    const end = header.size === 0 ? source.size : at + header.size;
    if (end > source.size) throw cutOff();
    if (header.type === 'moov') return { start: at, headerSize: header.headerSize, end, isIndexFirst };
    if (header.type === 'mdat') isIndexFirst = false;
    at = end;
  }
  throw new MediaError('media_invalid', 'The video is truncated or damaged: its index is missing.');
}

/** Counts the fragments after the index. Bytes that are not a fragment end the scan and are tolerated. */
async function walkFragments(source: ByteSource, from: number): Promise<number> {
  let fragments = 0;
  for (let at = from, boxes = 0; at < source.size && boxes < MAX_FRAGMENT_BOXES; boxes += 1) {
    const header = readBoxHeader(await source.read(at, 16), 0);
    if (!header) break;
    const end = header.size === 0 ? source.size : at + header.size;
    if (end > source.size) {
      if (FRAGMENT_BOXES.has(header.type)) throw cutOff();
      break;
    }
    if (header.type === 'moof') fragments += 1;
    at = end;
  }
  return fragments;
}

const SECONDS_1904_TO_1970 = 2_082_844_800;
const DAY_MS = 86_400_000;
const NO_HEADER = { takenAt: null, durationMs: null };

/** `mvhd`: in version 1, times and duration have 64 bits. */
function readMovieHeader(moov: Buffer, root: Box): Pick<Mp4Structure, 'takenAt' | 'durationMs'> {
  const box = findBox(moov, root, 'mvhd');
  if (!box) return NO_HEADER;
  const wide = moov[box.start] === 1;
  if (box.end - box.start < (wide ? 32 : 20)) return NO_HEADER;
  const number = (at: number) =>
    wide ? Number(moov.readBigUInt64BE(box.start + at)) : moov.readUInt32BE(box.start + at);
  const timescale = moov.readUInt32BE(box.start + (wide ? 20 : 12));
  const duration = number(wide ? 24 : 16);
  return {
    takenAt: plausibleDate((number(4) - SECONDS_1904_TO_1970) * 1000),
    durationMs: plausibleDuration((duration / timescale) * 1000),
  };
}

/** Zero means unknown, and many encoders write a clock that was never set. */
function plausibleDate(time: number): Date | null {
  return time >= Date.UTC(1990, 0) && time <= Date.now() + DAY_MS ? new Date(time) : null;
}

/** Null if unknown (zero, or all bits set) or longer than 24 days, which is unrealistic. */
export function plausibleDuration(ms: number): number | null {
  const rounded = Math.round(ms);
  return rounded > 0 && rounded < 2 ** 31 ? rounded : null;
}

function cutOff(): MediaError {
  return new MediaError('media_invalid', 'The video is truncated: data listed in its index is missing.');
}
