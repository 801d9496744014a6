import type { SupportedMime } from '../file-types.js';
import type { DecodeLimits, Rendered, RenderOutput } from '../media.types.js';
import type { ByteSource } from './byte-source.js';
import { digitalSourceTypeIn } from './disclosure.js';
import { damaged, openRaster } from './raster.js';
import sharp from './sharp.js';
import { writeOutputs } from './write-outputs.js';

/** The file was verified on upload, so warnings of libjpeg must not prevent a preview. */
export async function renderRaster(
  source: ByteSource,
  mime: SupportedMime,
  outputs: RenderOutput[],
  limits: DecodeLimits,
): Promise<Rendered[]> {
  const { bytes, header } = await openRaster(source, mime, limits.maxPixels);
  const open = () => sharp(bytes, { failOn: 'error', limitInputPixels: limits.maxPixels }).autoOrient();
  try {
    const digitalSourceType = digitalSourceTypeIn(header.xmp);
    return await writeOutputs({ ...header.autoOrient, digitalSourceType, open }, outputs);
  } catch {
    throw damaged();
  }
}
