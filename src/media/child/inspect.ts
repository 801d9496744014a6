import type { MediaDetails, SmallPicture } from '../media.types.js';
import type { FactsOnWire, InspectJob } from '../protocol.js';
import type { ByteSource } from './byte-source.js';
import { inspectRaster } from './raster.js';

export interface Inspected {
  facts: FactsOnWire;
  details: MediaDetails;
  picture: SmallPicture | null;
}

/** Loads the decoders of HEIC and MP4 with the first such file: they take longer to load than a JPEG takes to decode. */
export async function inspect(source: ByteSource, job: InspectJob): Promise<Inspected> {
  const { declared, pictureSide, limits } = job;
  switch (declared) {
    case 'image/jpeg':
    case 'image/png':
    case 'image/webp':
      return inspectRaster(source, declared, pictureSide, limits);
    case 'image/heic':
      return (await import('./heic.js')).inspectHeic(source, pictureSide, limits);
    case 'video/mp4':
      return { ...(await (await import('./mp4.js')).inspectMp4(source, limits)), picture: null };
  }
}
