import sharp from 'sharp';

sharp.cache(false);
sharp.concurrency(1);
// libvips has loaders for many more formats than we accept; the bytes must not be able to select one of them.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
});
// Written by `tiff.ts`, never uploaded: `requireType` has checked the first bytes of every upload.
sharp.unblock({ operation: ['VipsForeignLoadTiffBuffer'] });

export default sharp;
