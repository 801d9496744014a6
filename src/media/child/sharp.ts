import sharp from 'sharp';

sharp.cache(false);
sharp.concurrency(1);
// libvips knows loaders for far more formats than we take; the bytes must not be able to choose one of them.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpegFile', 'VipsForeignLoadPngFile', 'VipsForeignLoadWebpFile'],
});
// Only from memory: these are written by `tiff.ts`, never uploaded.
sharp.unblock({ operation: ['VipsForeignLoadTiffBuffer'] });

export default sharp;
