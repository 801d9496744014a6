import type { FactsOnWire, InspectJob } from '../protocol.js';
import type { ByteSource } from './byte-source.js';
import { inspectHeic } from './heic.js';
import { inspectMp4 } from './mp4.js';
import { inspectRaster } from './raster.js';

export async function inspect(source: ByteSource, job: InspectJob): Promise<FactsOnWire> {
  switch (job.declared) {
    case 'image/jpeg':
    case 'image/png':
    case 'image/webp':
      return inspectRaster(source, job.declared, job.limits);
    case 'image/heic':
      return inspectHeic(source, job.limits);
    case 'video/mp4':
      return inspectMp4(source, job.limits);
  }
}
