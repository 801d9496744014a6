import { type Box, boxesIn } from './boxes.js';

/** The location of an item's bytes in the file. */
export interface Place {
  offset: number;
  end: number;
}

export interface HeifStructure {
  /** Item types of the primary image or of the pictures it is composed of: `hvc1` is HEVC, `av01` is AV1. */
  codecs: Set<string>;
  /** The encoded data of these. */
  parts: Place[];
  exif: Place | null;
  xmp: Place | null;
}

const MAX_ITEMS = 20_000;

/** Derived images: a grid of tiles, an identical copy, an overlay. Their inputs determine the codec. */
const DERIVED = new Set(['grid', 'iden', 'iovl', 'tmap']);

/** Parses the content of a `meta` box; throws if it is invalid. */
export function readHeifMeta(meta: Buffer): HeifStructure {
  const top: Box = { type: 'meta', start: 4, end: meta.length };
  const boxes = new Map([...boxesIn(meta, top.start, top.end)].map((box) => [box.type, box]));
  const { types, xmpId } = readItemTypes(meta, need(boxes, 'iinf'));
  const inputs = boxes.has('iref') ? readInputs(meta, need(boxes, 'iref')) : new Map<number, number[]>();
  const places = readLocations(meta, need(boxes, 'iloc'));
  const parts = partsOf(readPrimaryId(meta, need(boxes, 'pitm')), types, inputs);
  const exifId = [...types].find(([, type]) => type === 'Exif')?.[0];
  return {
    codecs: new Set(parts.map((id) => types.get(id) ?? '')),
    parts: parts.flatMap((id) => places.get(id) ?? []),
    exif: (exifId === undefined ? undefined : places.get(exifId)) ?? null,
    xmp: (xmpId === null ? undefined : places.get(xmpId)) ?? null,
  };
}

function need(boxes: Map<string, Box>, type: string): Box {
  const box = boxes.get(type);
  if (!box) throw new Error(`no ${type} box`);
  return box;
}

/** The encoded pictures of an item. */
function partsOf(primary: number, types: Map<number, string>, inputs: Map<number, number[]>): number[] {
  const parts = new Set<number>();
  const seen = new Set<number>();
  const open = [primary];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    if (DERIVED.has(types.get(id) ?? '')) open.push(...(inputs.get(id) ?? []));
    else parts.add(id);
  }
  return [...parts];
}

function readPrimaryId(meta: Buffer, box: Box): number {
  return meta[box.start] === 0 ? meta.readUInt16BE(box.start + 4) : meta.readUInt32BE(box.start + 4);
}

function readItemTypes(meta: Buffer, box: Box): { types: Map<number, string>; xmpId: number | null } {
  const types = new Map<number, string>();
  let xmpId: number | null = null;
  const first = box.start + (meta[box.start] === 0 ? 6 : 8);
  for (const entry of boxesIn(meta, first, box.end)) {
    const version = meta[entry.start] ?? 0;
    if (entry.type !== 'infe' || version < 2) continue;
    const idSize = version === 2 ? 2 : 4;
    const typeAt = entry.start + 4 + idSize + 2;
    const id = meta.readUIntBE(entry.start + 4, idSize);
    const type = meta.toString('latin1', typeAt, typeAt + 4);
    types.set(id, type);
    // The name of the item comes first, then its contents.
    const described = type === 'mime' ? meta.toString('latin1', typeAt + 4, entry.end).split('\0', 2) : [];
    if (described[1] === 'application/rdf+xml') xmpId ??= id;
    if (types.size > MAX_ITEMS) throw new Error('too many items');
  }
  return { types, xmpId };
}

function readInputs(meta: Buffer, box: Box): Map<number, number[]> {
  const inputs = new Map<number, number[]>();
  const idSize = meta[box.start] === 0 ? 2 : 4;
  for (const reference of boxesIn(meta, box.start + 4, box.end)) {
    if (reference.type !== 'dimg') continue;
    const from = meta.readUIntBE(reference.start, idSize);
    const count = meta.readUInt16BE(reference.start + idSize);
    const first = reference.start + idSize + 2;
    inputs.set(
      from,
      Array.from({ length: count }, (_, index) => meta.readUIntBE(first + index * idSize, idSize)),
    );
  }
  return inputs;
}

/** Only items stored in the file itself. Those inside `idat` or built from others have no location. */
function readLocations(meta: Buffer, box: Box): Map<number, Place> {
  const version = meta[box.start] ?? 0;
  let at = box.start + 4;
  const take = (size: number): number => {
    const value = size === 8 ? Number(meta.readBigUInt64BE(at)) : size === 0 ? 0 : meta.readUIntBE(at, size);
    at += size;
    return value;
  };
  const sizes = take(2);
  const [offsetSize = 0, lengthSize = 0, baseSize = 0, indexSize = 0] = [12, 8, 4, 0].map(
    (shift) => (sizes >> shift) & 15,
  );
  const places = new Map<number, Place>();
  for (let left = take(version < 2 ? 2 : 4); left > 0 && places.size < MAX_ITEMS; left -= 1) {
    const id = take(version < 2 ? 2 : 4);
    const method = version === 0 ? 0 : take(2) & 15;
    take(2);
    const base = take(baseSize);
    const place = { offset: Infinity, end: 0 };
    for (let extents = take(2); extents > 0; extents -= 1) {
      if (version > 0) take(indexSize);
      const offset = base + take(offsetSize);
      place.offset = Math.min(place.offset, offset);
      place.end = Math.max(place.end, offset + take(lengthSize));
    }
    if (method === 0 && place.end > 0) places.set(id, place);
  }
  return places;
}
