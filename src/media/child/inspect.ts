import type { MediaDetails, SmallPicture } from '../media.types.js';
import type { FactsOnWire, InspectJob } from '../protocol.js';
import type { ByteSource } from './byte-source.js';
import { inspectHeic } from './heic.js';
import { inspectMp4 } from './mp4.js';
import { inspectRaster } from './raster.js';

export interface Inspected {
  facts: FactsOnWire;
  details: MediaDetails;
  picture: SmallPicture | null;
}

export async function inspect(source: ByteSource, job: InspectJob): Promise<Inspected> {
  const { declared, pictureSide, limits } = job;
  switch (declared) {
    case 'image/jpeg':
    case 'image/png':
    case 'image/webp':
      return inspectRaster(source, declared, pictureSide, limits);
    case 'image/heic':
      return inspectHeic(source, pictureSide, limits);
    case 'video/mp4':
      return { ...(await inspectMp4(source, limits)), picture: null };
  }
}
