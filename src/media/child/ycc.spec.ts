import { type Plane, shrinkYcc } from './ycc.js';

function plane(width: number, height: number, value: number, bits = 8): Plane {
  const bytes = bits > 8 ? 2 : 1;
  // Rows wider than needed, as decoders align them, filled with other values.
  const stride = width * bytes + 16;
  const data = new Uint8Array(stride * height).fill(77);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      data[y * stride + x * bytes] = value & 255;
      if (bytes === 2) data[y * stride + x * 2 + 1] = value >> 8;
    }
  }
  return { width, height, stride, bits, data };
}

const first = (rgba: Uint8Array) => [...rgba.slice(0, 4)];

describe('shrinking YCbCr planes', () => {
  it('keeps the shape within 32 pixels and the colour', () => {
    const small = shrinkYcc([plane(400, 200, 76), plane(200, 100, 85), plane(200, 100, 255)]);
    expect([small.width, small.height]).toEqual([32, 16]);
    expect(first(small.rgba)).toEqual([254, 0, 0, 255]);
  });

  it('treats ten bits as the same colour as eight', () => {
    const ten = shrinkYcc([plane(40, 20, 76 * 4, 10), plane(20, 10, 85 * 4, 10), plane(20, 10, 255 * 4, 10)]);
    expect(first(ten.rgba)).toEqual([254, 0, 0, 255]);
  });

  it('shows a picture without chroma in grey, and never loses a side', () => {
    const line = shrinkYcc([plane(5_000, 1, 120), null, null]);
    expect([line.width, line.height]).toEqual([32, 1]);
    expect(first(line.rgba)).toEqual([120, 120, 120, 255]);
    expect(shrinkYcc([plane(1, 1, 9), plane(1, 1, 128), plane(1, 1, 128)]).rgba).toHaveLength(4);
  });

  it('averages instead of picking', () => {
    const luma = plane(200, 2, 0);
    for (let x = 0; x < 200; x += 2) luma.data[x] = luma.data[luma.stride + x] = 200;
    expect(first(shrinkYcc([luma, null, null]).rgba)).toEqual([100, 100, 100, 255]);
  });
});
