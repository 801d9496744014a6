import sharp from 'sharp';

sharp.cache(false);
sharp.concurrency(1);
// libvips knows loaders for far more formats than we take; the bytes must not be able to choose one of them.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
});
// Written by `tiff.ts`, never uploaded: `assertType` has seen the first bytes of everything that is.
sharp.unblock({ operation: ['VipsForeignLoadTiffBuffer'] });

export default sharp;
