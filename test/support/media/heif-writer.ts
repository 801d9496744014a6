import { type Box, findBox } from '../../../src/media/child/boxes.js';
import { readHeifMeta } from '../../../src/media/child/heif-structure.js';

/** A coded picture and its decoder configuration, to be put into files of any shape. */
export interface Tile {
  config: Buffer;
  data: Buffer;
  side: number;
}

export interface HeifPlan {
  brand?: string;
  /** The item type of the tiles; the bytes stay HEVC. */
  codec?: string;
  grid?: { rows: number; columns: number };
  /** Quarter turns, anticlockwise. */
  turns?: number;
  /** About the vertical axis swaps left and right; done after turning. */
  mirror?: 'vertical axis' | 'horizontal axis';
  /** The content of a `colr` box. */
  colour?: Buffer;
  /** What the header says, whatever the data contains. */
  claim?: { width: number; height: number };
  /** An XMP packet, stored as a separate item. */
  xmp?: string;
}

/** Extracts the tile of a HEIC with a single picture of known size. */
export function tileOf(heic: Buffer, side: number): Tile {
  const file: Box = { type: '', start: 0, end: heic.length };
  const meta = findBox(heic, file, 'meta');
  if (!meta) throw new Error('no meta box');
  const config = findBox(heic, { ...meta, start: meta.start + 4 }, 'iprp', 'ipco', 'hvcC');
  const place = readHeifMeta(heic.subarray(meta.start, meta.end)).parts[0];
  if (!config || !place) throw new Error('no picture');
  return {
    config: heic.subarray(config.start - 8, config.end),
    data: heic.subarray(place.offset, place.end),
    side,
  };
}

/** Writes a HEIF: a single tile, or a grid of copies of it, as phones store photographs. */
export function writeHeif(tile: Tile, plan: HeifPlan = {}): Buffer {
  const { brand = 'heic', codec = 'hvc1', grid, turns = 0 } = plan;
  const count = grid ? grid.rows * grid.columns : 1;
  const size = plan.claim ?? {
    width: tile.side * (grid?.columns ?? 1),
    height: tile.side * (grid?.rows ?? 1),
  };
  const ids = Array.from({ length: count }, (_, index) => index + 1);
  const gridId = count + 1;
  const xmpId = count + 2;
  const items = [
    ...ids.map((id) => infe(id, codec)),
    ...(grid ? [infe(gridId, 'grid')] : []),
    ...(plan.xmp ? [infe(xmpId, 'mime', 'application/rdf+xml')] : []),
  ];
  const tileSize = grid ? { width: tile.side, height: tile.side } : size;
  const gridProperties = grid ? [full('ispe', u32(size.width), u32(size.height))] : [];
  const more = [
    ...(plan.mirror ? [box('imir', u8(plan.mirror === 'vertical axis' ? 1 : 0))] : []),
    ...(plan.colour ? [box('colr', plan.colour)] : []),
  ];
  const properties = box(
    'ipco',
    tile.config,
    full('ispe', u32(tileSize.width), u32(tileSize.height)),
    box('irot', u8(turns)),
    ...gridProperties,
    ...more,
  );
  // Property indices: 1 configuration, 2 tile size, 3 rotation, then grid size, mirror and colour where there are.
  const moreIndices = more.map((_, index) => 0x80 + 4 + gridProperties.length + index);
  const link = (id: number, ...indices: number[]) =>
    Buffer.concat([u16(id), Buffer.from([indices.length, ...indices])]);
  const links = [
    ...ids.map((id) => (grid ? link(id, 0x81, 2) : link(id, 0x81, 2, 0x83, ...moreIndices))),
    ...(grid ? [link(gridId, 4, 0x83, ...moreIndices)] : []),
  ];
  const ftyp = box('ftyp', ascii(brand), u32(0), ascii('mif1'), ascii(brand));
  const descriptor = grid
    ? box('idat', Buffer.from([0, 1, grid.rows - 1, grid.columns - 1]), u32(size.width), u32(size.height))
    : null;
  const xmp = { id: xmpId, bytes: Buffer.from(plan.xmp ?? '') };
  const meta = (dataAt: number): Buffer =>
    full(
      'meta',
      full('hdlr', u32(0), ascii('pict'), Buffer.alloc(13)),
      full('pitm', u16(grid ? gridId : 1)),
      full('iinf', u16(items.length), ...items),
      ...(grid ? [full('iref', box('dimg', u16(gridId), u16(count), ...ids.map(u16)))] : []),
      box('iprp', properties, full('ipma', u32(links.length), ...links)),
      iloc(ids, grid ? gridId : null, dataAt, tile.data.length, xmp),
      ...(descriptor ? [descriptor] : []),
    );
  const head = ftyp.length + meta(0).length;
  return Buffer.concat([ftyp, meta(head + 8), box('mdat', tile.data, xmp.bytes)]);
}

/** All tiles share the same bytes; the descriptor of the grid is in `idat`. */
function iloc(
  ids: number[],
  gridId: number | null,
  dataAt: number,
  length: number,
  xmp: { id: number; bytes: Buffer },
): Buffer {
  const entry = (id: number, method: number, offset: number, size: number) =>
    Buffer.concat([u16(id), u16(method), u16(0), u16(1), u32(offset), u32(size)]);
  const entries = ids.map((id) => entry(id, 0, dataAt, length));
  if (gridId !== null) entries.push(entry(gridId, 1, 0, 12));
  if (xmp.bytes.length > 0) entries.push(entry(xmp.id, 0, dataAt + length, xmp.bytes.length));
  return box('iloc', Buffer.from([1, 0, 0, 0, 0x44, 0x00]), u16(entries.length), ...entries);
}

function infe(id: number, type: string, contentType = ''): Buffer {
  const content = contentType ? ascii(`${contentType}\0`) : Buffer.alloc(0);
  return box('infe', Buffer.from([2, 0, 0, 0]), u16(id), u16(0), ascii(type), u8(0), content);
}

export function box(type: string, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([u32(body.length + 8), ascii(type), body]);
}

/** A box with version and flags, all zero. */
export function full(type: string, ...content: Buffer[]): Buffer {
  return box(type, u32(0), ...content);
}

export const ascii = (text: string): Buffer => Buffer.from(text, 'latin1');
export const u8 = (value: number): Buffer => Buffer.from([value]);
export const u16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255]);
export function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
