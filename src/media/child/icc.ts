import { toLinear } from './transfer.js';

/** Chromaticities of red, green and blue by their number in ITU-T H.273, all for D65 white. */
const PRIMARIES: Record<number, [number, number][]> = {
  1: [
    [0.64, 0.33],
    [0.3, 0.6],
    [0.15, 0.06],
  ],
  9: [
    [0.708, 0.292],
    [0.17, 0.797],
    [0.131, 0.046],
  ],
  12: [
    [0.68, 0.32],
    [0.265, 0.69],
    [0.15, 0.06],
  ],
};
const BT709 = 1;
const D65: Vector = [0.3127 / 0.329, 1, (1 - 0.3127 - 0.329) / 0.329];
const D50: Vector = [0.9642, 1, 0.8249];
const BRADFORD: Matrix = [
  [0.8951, 0.2664, -0.1614],
  [-0.7502, 1.7135, 0.0367],
  [0.0389, -0.0685, 1.0296],
];
const CURVE_POINTS = 1_024;

type Vector = [number, number, number];
type Matrix = [Vector, Vector, Vector];

/** A profile for colours that are only identified by numbers; null if they are sRGB or equivalent. */
export function profileOf(primaries: number, transfer: number): Buffer | null {
  const curve = toLinear(transfer);
  const space = PRIMARIES[primaries] ?? PRIMARIES[BT709];
  if (!space || (!curve && space === PRIMARIES[BT709])) return null;
  return writeProfile(colorants(space), curve ?? toLinear(13, true));
}

/** The XYZ of each primary, scaled so that together they make white, under the D50 of profiles. */
function colorants(space: [number, number][]): Vector[] {
  const xyz = space.map(([x, y]): Vector => [x / y, 1, (1 - x - y) / y]);
  const scale = apply(invert(transpose(xyz as Matrix)), D65);
  const adapt = adaptation();
  return xyz.map((primary, index) =>
    apply(adapt, primary.map((part) => part * (scale[index] ?? 0)) as Vector),
  );
}

function adaptation(): Matrix {
  const [from, to] = [apply(BRADFORD, D65), apply(BRADFORD, D50)];
  const scaled = BRADFORD.map((row, index) =>
    row.map((part) => (part * (to[index] ?? 0)) / (from[index] ?? 1)),
  ) as Matrix;
  return multiply(invert(BRADFORD), scaled);
}

/** ICC.1:2010 (version 4): header, tag table, three colorants, white point, one curve shared by all channels. */
function writeProfile(primaries: Vector[], curve: (value: number) => number): Buffer {
  const points = Buffer.alloc(12 + CURVE_POINTS * 2);
  points.write('curv', 0, 'latin1');
  points.writeUInt32BE(CURVE_POINTS, 8);
  for (let index = 0; index < CURVE_POINTS; index += 1) {
    const value = Math.max(0, Math.min(1, curve(index / (CURVE_POINTS - 1))));
    points.writeUInt16BE(Math.round(value * 65_535), 12 + index * 2);
  }
  const blocks = [...primaries.map(xyzTag), xyzTag(D50), points];
  const tags = ['rXYZ', 'gXYZ', 'bXYZ', 'wtpt', 'rTRC', 'gTRC', 'bTRC'];
  const head = Buffer.alloc(128 + 4 + tags.length * 12);
  const size = head.length + blocks.reduce((sum, block) => sum + block.length, 0);
  head.writeUInt32BE(size, 0);
  head.writeUInt32BE(0x04200000, 8);
  head.write('mntrRGB XYZ ', 12, 'latin1');
  head.write('acsp', 36, 'latin1');
  xyzTag(D50).copy(head, 68, 8);
  head.writeUInt32BE(tags.length, 128);
  const offsets: number[] = [];
  blocks.reduce((at, block) => (offsets.push(at), at + block.length), head.length);
  tags.forEach((tag, index) => {
    const block = Math.min(index, blocks.length - 1);
    const at = 132 + index * 12;
    head.write(tag, at, 'latin1');
    head.writeUInt32BE(offsets[block] ?? 0, at + 4);
    head.writeUInt32BE(blocks[block]?.length ?? 0, at + 8);
  });
  return Buffer.concat([head, ...blocks]);
}

function xyzTag(vector: Vector): Buffer {
  const tag = Buffer.alloc(20);
  tag.write('XYZ ', 0, 'latin1');
  vector.forEach((part, index) => tag.writeInt32BE(Math.round(part * 65_536), 8 + index * 4));
  return tag;
}

function apply(matrix: Matrix, vector: Vector): Vector {
  return matrix.map((row) => row[0] * vector[0] + row[1] * vector[1] + row[2] * vector[2]) as Vector;
}

function transpose([a, b, c]: Matrix): Matrix {
  return [
    [a[0], b[0], c[0]],
    [a[1], b[1], c[1]],
    [a[2], b[2], c[2]],
  ];
}

function multiply(left: Matrix, right: Matrix): Matrix {
  return transpose(transpose(right).map((column) => apply(left, column)) as Matrix);
}

function invert([a, b, c]: Matrix): Matrix {
  const cross = (u: Vector, v: Vector): Vector => [
    u[1] * v[2] - u[2] * v[1],
    u[2] * v[0] - u[0] * v[2],
    u[0] * v[1] - u[1] * v[0],
  ];
  const columns: Matrix = [cross(b, c), cross(c, a), cross(a, b)];
  const determinant = a[0] * columns[0][0] + a[1] * columns[0][1] + a[2] * columns[0][2];
  return transpose(columns.map((column) => column.map((part) => part / determinant)) as Matrix);
}
