import type { DecoderName } from '../file-types.js';
import type { Rendered } from '../media.types.js';
import type { InspectJob, RenderJob } from '../protocol.js';
import type { ByteSource } from './byte-source.js';
import type { Inspected } from './inspected.js';
import type { DecodeFrame } from './poster.js';
import { renderRaster } from './raster-render.js';
import { inspectRaster } from './raster.js';

interface Decoder {
  inspect: (source: ByteSource, job: InspectJob) => Promise<Inspected>;
  render: (source: ByteSource, job: RenderJob, decodeFrame: DecodeFrame) => Promise<Rendered[]>;
}

/** Those of HEIC and MP4 are loaded with the first such file: they take longer to load than a JPEG takes to decode. */
export const DECODERS: Record<DecoderName, Decoder> = {
  raster: {
    inspect: (source, job) => inspectRaster(source, job.declared, job.limits),
    render: (source, job) => renderRaster(source, job.declared, job.outputs, job.limits),
  },
  heic: {
    inspect: async (source, { limits }) => (await import('./heic.js')).inspectHeic(source, limits),
    render: async (source, { outputs, limits }) =>
      (await import('./heic.js')).renderHeic(source, outputs, limits),
  },
  mp4: {
    inspect: async (source, { limits }) => (await import('./mp4.js')).inspectMp4(source, limits),
    render: async (source, { outputs, limits }, decodeFrame) =>
      (await import('./poster.js')).renderPoster(source, outputs, limits, decodeFrame),
  },
};
