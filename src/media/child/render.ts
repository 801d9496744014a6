import type { Rendered } from '../media.types.js';
import type { EncodeJob, RenderJob } from '../protocol.js';
import type { ByteSource } from './byte-source.js';
import type { DecodeFrame } from './poster.js';
import { renderRaster } from './raster-render.js';
import { openPixels, writeOutputs } from './write-outputs.js';

/** Like `inspect`, loads the decoders of HEIC and MP4 only when they are needed. */
export async function render(
  source: ByteSource,
  job: RenderJob,
  decodeFrame: DecodeFrame,
): Promise<Rendered[]> {
  switch (job.declared) {
    case 'image/jpeg':
    case 'image/png':
    case 'image/webp':
      return renderRaster(source, job.declared, job.outputs, job.limits);
    case 'image/heic':
      return (await import('./heic.js')).renderHeic(source, job.outputs, job.limits);
    case 'video/mp4':
      return (await import('./poster.js')).renderPoster(source, job.outputs, job.limits, decodeFrame);
  }
}

export function encode({ picture, width, height, outputs }: EncodeJob): Promise<Rendered[]> {
  return writeOutputs({ width, height, open: () => openPixels(picture) }, outputs);
}
