import { boxesIn, findBox } from '../child/boxes.js';
import { chunksOf } from '../child/mp4-samples.js';
import type { RangeReader } from '../decoder-child.js';
import { MediaError } from '../media.types.js';
import { BoxReader, type FileBox } from './box-reader.js';
import { isPosition, mentionsPosition, namesLocation } from './location-words.rules.js';
import type { Overwrite } from './overwrites.js';
import { intersection, type Span } from './spans.js';

const FREE = Buffer.from('free');
const COPYRIGHT_SIGN = '\u00a9';
const MAX_DEPTH = 12;
const MAX_PADDING_BYTES = 64 * 1024;
const MAX_KEYS_BYTES = 256 * 1024;
/** A larger box, or all beyond this sum, is removed unread. */
const MAX_READ_BYTES = 4 * 1024 * 1024;
const MAX_READ_BYTES_IN_ALL = 32 * 1024 * 1024;
/** A position is much shorter. */
const MAX_POSITION_BYTES = 128;
const MAX_TRACK_BYTES = 8 * 1024 * 1024;
const MAX_CHUNKS = 200_000;
/** Sample entries of cameras' telemetry: GoPro, Android's CAMM, Sony, DJI. */
const TELEMETRY = new Set(['gpmd', 'camm', 'rtmd', 'djmd', 'dbgi']);

/**
 * What has to be overwritten in a video so that it does not say where it was recorded. Reads only the headers of boxes and the few that may
 * contain a position. Rejects with `MediaError` if the structure is too damaged to know.
 */
export async function findLocation(file: RangeReader): Promise<Overwrite[]> {
  try {
    return await new LocationSearch(file).run();
  } catch (error) {
    // A read beyond the end of a crafted table.
    if (error instanceof RangeError) throw damaged();
    throw error;
  }
}

class LocationSearch {
  private readonly boxes: BoxReader;
  private readonly overwrites: Overwrite[] = [];
  private readonly mediaData: Span[] = [];
  private readonly telemetry: Span[] = [];
  private hasTelemetry = false;
  private hasFragments = false;
  private bytesLeft = MAX_READ_BYTES_IN_ALL;

  constructor(file: RangeReader) {
    this.boxes = new BoxReader(file);
  }

  async run(): Promise<Overwrite[]> {
    for await (const box of this.boxes.top()) {
      // No reader looks beyond something that is not a box.
      if (box.type === '') break;
      if (box.type === 'mdat') this.mediaData.push(box);
      else await this.visit(box, 0);
    }
    if (this.hasFragments && this.hasTelemetry)
      throw new MediaError('media_invalid', 'Its fragments contain telemetry.');
    // Never more than media data, whatever the tables say.
    for (const { start, end } of intersection(this.telemetry, this.mediaData)) this.blank(start, end);
    return this.overwrites.sort((a, b) => a.start - b.start);
  }

  private async visit(box: FileBox, depth: number): Promise<void> {
    if (depth > MAX_DEPTH) throw damaged();
    switch (box.type) {
      case 'moof':
        this.hasFragments = true;
        return this.visitParts(box, depth);
      case 'trak':
        if (await this.isTelemetry(box)) return this.removeTrack(box);
        return this.visitParts(box, depth);
      case 'moov':
      case 'mdia':
      case 'traf':
        return this.visitParts(box, depth);
      case 'udta':
        return this.visitUserData(box, depth);
      case 'meta':
        return this.visitMeta(box, depth);
      case 'ilst':
        return this.visitItems(box, new Set());
      case 'loci':
      case `${COPYRIGHT_SIGN}xyz`:
        return this.free(box);
      // XMP by Adobe and others, properties of Windows, ID3, and XML by Sony.
      case 'uuid':
      case 'XMP_':
      case 'Xtra':
      case 'ID32':
      case 'xml ':
      case 'bxml':
      case 'idat':
      case 'GPMF':
        if (await this.mayMentionPosition(box)) this.free(box);
        return;
      default:
        // Text of QuickTime: its length and language come first.
        if (box.type.startsWith(COPYRIGHT_SIGN) && (await this.isPositionAt(box, box.start + 4)))
          this.free(box);
    }
  }

  private async visitParts(box: FileBox, depth: number): Promise<void> {
    for await (const part of this.boxes.within(box)) {
      if (part.type !== '') await this.visit(part, depth + 1);
      else if (!(await this.isPadding(part))) throw damaged();
    }
  }

  private async isPadding(rest: FileBox): Promise<boolean> {
    if (rest.end - rest.at > MAX_PADDING_BYTES) return false;
    return (await this.boxes.read(rest, MAX_PADDING_BYTES)).every((byte) => byte === 0);
  }

  private async visitUserData(box: FileBox, depth: number): Promise<void> {
    for await (const part of this.boxes.within(box)) await this.visitUserPart(part, depth);
  }

  /** QuickTime's has no version field. Its keys may come after the items that refer to them. */
  private async visitMeta(box: FileBox, depth: number): Promise<void> {
    const isQuickTime = (await this.boxes.read(box, 8)).toString('latin1', 4) === 'hdlr';
    const locations = new Set<number>();
    const parts: FileBox[] = [];
    for await (const part of this.boxes.within(box, box.start + (isQuickTime ? 0 : 4))) {
      parts.push(part);
      if (part.type === 'keys') await this.readKeys(part, locations);
    }
    for (const part of parts) {
      if (part.type === 'ilst') await this.visitItems(part, locations);
      else await this.visitUserPart(part, depth);
    }
  }

  /** What is not a box here is not media either, so it can go. */
  private async visitUserPart(part: FileBox, depth: number): Promise<void> {
    if (part.type === '') this.blank(part.at, part.end);
    else await this.visit(part, depth + 1);
  }

  /** The indices, from 1, of the keys whose values say where the video was recorded. */
  private async readKeys(box: FileBox, locations: Set<number>): Promise<void> {
    if (box.end - box.start > MAX_KEYS_BYTES) throw damaged();
    const keys = await this.boxes.read(box, MAX_KEYS_BYTES);
    let index = 1;
    for (const { start, end } of boxesIn(keys, 8, keys.length)) {
      if (namesLocation(keys.subarray(start, end))) locations.add(index);
      index += 1;
    }
  }

  private async visitItems(list: FileBox, locations: ReadonlySet<number>): Promise<void> {
    for await (const item of this.boxes.within(list)) {
      const index = Buffer.from(item.type, 'latin1');
      if (item.type === '') this.blank(item.at, item.end);
      else if (item.type === `${COPYRIGHT_SIGN}xyz` || item.type === 'loci') this.free(item);
      else if (locations.has(index.readUInt32BE())) await this.blankValues(item);
      // Items with names of their own.
      else if (item.type === '----' && (await this.mayMentionPosition(item))) this.free(item);
      else if (await this.isPositionAt(item, item.start + 16)) await this.blankValues(item);
    }
  }

  /** The item keeps its key and the type of its value. */
  private async blankValues(item: FileBox): Promise<void> {
    for await (const part of this.boxes.within(item)) {
      if (part.type === '') this.blank(part.at, part.end);
      else if (part.type === 'data') this.blank(Math.min(part.start + 8, part.end), part.end);
      else this.free(part);
    }
  }

  private async isTelemetry(track: FileBox): Promise<boolean> {
    const box = await this.boxes.find(track, 'mdia', 'minf', 'stbl', 'stsd');
    if (box === null) return false;
    const entries = await this.boxes.read(box, MAX_KEYS_BYTES);
    for (const { type, start, end } of boxesIn(entries, 8, entries.length)) {
      if (TELEMETRY.has(type)) return true;
      // Apple's timed metadata: faces, for example, but also places.
      if (type === 'mebx' && namesLocation(entries.subarray(start, end))) return true;
    }
    return false;
  }

  /** Also its samples, because tools find them without the track. */
  private async removeTrack(track: FileBox): Promise<void> {
    this.hasTelemetry = true;
    if (track.end - track.start > MAX_TRACK_BYTES) throw damaged();
    const bytes = await this.boxes.read(track, MAX_TRACK_BYTES);
    const table = findBox(bytes, { type: 'trak', start: 0, end: bytes.length }, 'mdia', 'minf', 'stbl');
    if (table !== null) for (const chunk of chunksOf(bytes, table)) this.addTelemetry(chunk);
    this.free(track);
  }

  private addTelemetry(chunk: Span): void {
    if (this.telemetry.length >= MAX_CHUNKS) throw damaged();
    if (chunk.end > chunk.start) this.telemetry.push(chunk);
  }

  private async mayMentionPosition(box: FileBox): Promise<boolean> {
    const length = box.end - box.start;
    if (length > Math.min(MAX_READ_BYTES, this.bytesLeft)) return true;
    this.bytesLeft -= length;
    return mentionsPosition(await this.boxes.read(box, length));
  }

  private async isPositionAt({ end }: FileBox, start: number): Promise<boolean> {
    const length = end - start;
    if (length <= 0 || length > MAX_POSITION_BYTES) return false;
    return isPosition(await this.boxes.read({ start, end }, length));
  }

  /** Turns a box into one that readers skip. */
  private free({ at, start, end }: FileBox): void {
    this.overwrites.push({ start: at + 4, end: at + 8, bytes: FREE });
    this.blank(start, end);
  }

  private blank(start: number, end: number): void {
    if (end > start) this.overwrites.push({ start, end, bytes: null });
  }
}

function damaged(): MediaError {
  return new MediaError('media_invalid', 'Its structure is damaged.');
}
