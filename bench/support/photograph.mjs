import sharp from 'sharp';

/** A JPEG as large and as grainy as a camera's: soft shapes under noise, about 3 MB at 12 MP. */
export function photograph(width, height) {
  const shapes = Array.from({ length: 60 }, (_, index) => {
    const [x, y, r] = [(index * 37) % 100, (index * 61) % 100, 4 + ((index * 13) % 14)];
    return `<circle cx="${x}" cy="${y}" r="${r}" fill="hsl(${(index * 47) % 360} 50% ${30 + ((index * 7) % 45)}%)"/>`;
  });
  const scene = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" preserveAspectRatio="none" width="${width}" height="${height}">${shapes.join('')}</svg>`;
  const noise = {
    width,
    height,
    channels: 3,
    background: '#000',
    noise: { type: 'gaussian', mean: 128, sigma: 14 },
  };
  return sharp(Buffer.from(scene), { limitInputPixels: false })
    .flatten({ background: '#7a8' })
    .composite([{ input: { create: noise }, blend: 'soft-light' }])
    .jpeg({ quality: 88 });
}

/** Different JPEGs of about 200 KB, 1600 × 1200. */
export async function smallPhotographs() {
  const picture = await photograph(1600, 1200).toBuffer();
  // The quality that comes closest to the size, determined once.
  let best = picture;
  for (let quality = 88; quality > 30 && best.length > 205_000; quality -= 4)
    best = await sharp(picture).jpeg({ quality }).toBuffer();
  // Bytes after the end of a JPEG are tolerated.
  return Array.from({ length: 8 }, (_, index) => Buffer.concat([best, Buffer.from([index])]));
}
