import { type Box, boxesIn, findBox } from '../../../src/media/child/boxes.js';
import { ascii, box, u16, u32 } from './heif-writer.js';
import { fixture } from './media-harness.js';

/** Where the film was recorded, as text and in the 16.16 fixed point numbers of `loci`. */
export const POSITION = '+52.5219+013.4132+034.000/';
const FIXED = fixedPoint(13.4132, 52.5219, 34);
export const PLACE = 'Alexanderplatz';

/** Parts of the position that must not be in a file that leaves. */
const TRACES = ['52.5219', '13.4132', '52,31.314N', PLACE, FIXED.subarray(0, 4), FIXED.subarray(4, 8)];
/** One sample of a telemetry track. */
const SAMPLE = 'GPS5 52.5219 13.4132';

const words = (...values: number[]): Buffer => Buffer.concat(values.map((value) => u32(value >>> 0)));

function fixedPoint(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => bytes.writeInt32BE(Math.round(value * 65_536), index * 4));
  return bytes;
}

/** QuickTime's text: its length, its language, and the text itself. */
export const xyz = (): Buffer => box('\u00a9xyz', u16(POSITION.length), u16(0x15c7), ascii(POSITION));
/** 3GPP TS 26.244. */
export const loci = (): Buffer =>
  box('loci', words(0), u16(0x15c7), ascii(`${PLACE}\0`), Buffer.from([0]), FIXED, ascii('earth\0\0'));

/** An item of a list: iTunes names it by its type, Apple's `mdta` by the index of its key. */
export const item = (type: string | number, value: string, dataType = 1): Buffer => {
  const name = typeof type === 'string' ? type : words(type).toString('latin1');
  return box(name, box('data', words(dataType, 0), ascii(value)));
};
const handler = (type: string): Buffer =>
  box('hdlr', words(0, 0), ascii(type), words(0, 0, 0), Buffer.alloc(1));
export const ilst = (...items: Buffer[]): Buffer => box('ilst', ...items);

/** With a version field, as in ISO files, or without, as in QuickTime. */
export const itunesMeta = (...items: Buffer[]): Buffer =>
  box('meta', words(0), handler('mdir'), ilst(...items));
export const keysBox = (...names: string[]): Buffer =>
  box('keys', words(0, names.length), ...names.map((name) => box('mdta', ascii(name))));
export const appleMeta = (
  entries: readonly (readonly [key: string, value: string])[],
  { version = false } = {},
): Buffer =>
  box(
    'meta',
    version ? words(0) : Buffer.alloc(0),
    handler('mdta'),
    keysBox(...entries.map(([key]) => key)),
    ilst(...entries.map(([, value], index) => item(index + 1, value))),
  );

export const XMP_ID = Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex');
export const xmp = (properties: string): Buffer =>
  box('uuid', XMP_ID, ascii(`<x:xmpmeta><rdf:Description ${properties}/></x:xmpmeta>`));

/** A film with its index last, so that what is added to the index moves no data. `before` comes between the data and the index. */
export function filmWith(
  changes: { movie?: Buffer[]; track?: Buffer[]; before?: Buffer[]; after?: Buffer[] } = {},
): Buffer {
  const film = fixture('moov-last.mp4');
  const { movie = [], track = [], before = [], after = [] } = changes;
  const moov = findBox(film, { type: '', start: 0, end: film.length }, 'moov')!;
  const children = [...boxesIn(film, moov.start, moov.end)].map((child) => {
    const content = film.subarray(child.start, child.end);
    return box(child.type, content, ...(child.type === 'trak' ? track : []));
  });
  return Buffer.concat([
    film.subarray(0, moov.start - 8),
    ...before,
    box('moov', ...children, ...movie),
    ...after,
  ]);
}

/** A track of telemetry, whose samples are at these places of the file, one per chunk. */
export function telemetryTrack(format: string, samples: readonly { at: number; size: number }[]): Buffer {
  const entry = box(format, words(0), words(1));
  const tables = [
    box('stsd', words(0, 1), entry),
    box('stts', words(0, 1, samples.length, 1_000)),
    box('stsc', words(0, 1, 1, 1, 1)),
    box('stsz', words(0, 0, samples.length, ...samples.map(({ size }) => size))),
    box('stco', words(0, samples.length, ...samples.map(({ at }) => at))),
  ];
  const header = box('mdhd', words(0, 0, 0, 1_000, samples.length * 1_000, 0x55c40000));
  const media = box('mdia', header, handler('meta'), box('minf', box('stbl', ...tables)));
  return box('trak', box('tkhd', words(1, 0, 0, 9, 0, 0), Buffer.alloc(60)), media);
}

/** As an action camera on an iPhone's shoulders would record it: every form of the position that we know. */
export function locatedFilm({ paddingBytes = 0 } = {}): Buffer {
  const before = [box('mdat', Buffer.alloc(paddingBytes, 0x5a))];
  const telemetryAt = filmWith({ before }).indexOf('moov') - 4;
  const samples = [SAMPLE, 'DEVC', SAMPLE].map(ascii);
  before.push(box('mdat', ...samples));
  let at = telemetryAt + 8;
  const places = samples.map(({ length: size }) => ({ at: (at += size) - size, size }));
  const title = 'Autumn at the bakery';
  return filmWith({
    track: [box('udta', loci(), box('name', ascii('Main camera')))],
    before,
    movie: [
      box('udta', xyz(), loci(), itunesMeta(item('\u00a9nam', title), item('\u00a9xyz', POSITION)), words(0)),
      appleMeta([
        ['com.apple.quicktime.make', 'Apple'],
        ['com.apple.quicktime.location.ISO6709', POSITION],
        ['com.apple.quicktime.location.name', PLACE],
        ['com.apple.quicktime.title', title],
      ]),
      telemetryTrack('gpmd', places),
    ],
    after: [xmp('exif:GPSLatitude="52,31.314N" xmp:Rating="5"'), box('udta', xyz())],
  });
}

/** The content of every `mdat`, by its place. */
export function mediaData(film: Buffer): [start: number, content: Buffer][] {
  return [...boxesIn(film, 0, film.length)]
    .filter(({ type }: Box) => type === 'mdat')
    .map(({ start, end }) => [start, film.subarray(start, end)]);
}

/** Also in UTF-16. */
export function traces(bytes: Buffer): string[] {
  const text = ascii(bytes.toString('latin1').replaceAll('\0', ''));
  return TRACES.filter((trace) => bytes.includes(trace) || text.includes(trace)).map(String);
}
