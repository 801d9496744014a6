import sharp, { type SharpInput } from 'sharp';

/** At this size, a lossy picture and its original differ only in colours and positions, not in grain. */
const SIDE = 32;

/** How far apart two pictures of one size are, as seen from a distance: the mean ΔE (CIE 1976) of their pixels. */
export async function meanDeltaE(left: SharpInput, right: SharpInput): Promise<number> {
  const [a, b] = await Promise.all([labOf(left), labOf(right)]);
  if (a.size !== b.size) throw new Error(`the pictures differ in size: ${a.size}, ${b.size}`);
  let sum = 0;
  for (let at = 0; at < a.lab.length; at += 3) {
    const part = (index: number) => (a.lab[at + index] ?? 0) - (b.lab[at + index] ?? 0);
    sum += Math.hypot(part(0), part(1), part(2));
  }
  return sum / (a.lab.length / 3);
}

async function labOf(picture: SharpInput): Promise<{ size: string; lab: Float32Array }> {
  // Decoded whole first: WebP and JPEG shrink on load, each in its own way.
  const { data: png, info } = await sharp(picture)
    .png({ compressionLevel: 0 })
    .toBuffer({ resolveWithObject: true });
  const data = await sharp(png)
    .resize(SIDE, SIDE, { fit: 'fill' })
    .flatten({ background: '#ffffff' })
    .toColourspace('lab')
    .raw({ depth: 'float' })
    .toBuffer();
  return {
    size: `${info.width} × ${info.height}`,
    lab: new Float32Array(data.buffer, data.byteOffset, data.length / 4),
  };
}
