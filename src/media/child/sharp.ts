import sharp from 'sharp';

sharp.cache(false);
sharp.concurrency(1);
// libvips knows loaders for far more formats than we take; the bytes must not be able to choose one of them.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpegFile', 'VipsForeignLoadPngFile', 'VipsForeignLoadWebpFile'],
});

export default sharp;
