import { createRequire } from 'node:module';

/**
 * With `import`, a decoder takes half as long again to start: Node searches sharp's CommonJS dependencies for the names of their exports.
 */
const sharp = createRequire(import.meta.url)('sharp') as (typeof import('sharp'))['default'];

// Also lets the warnings about a file arrive with its pixels: libvips reports them when it closes the file.
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
