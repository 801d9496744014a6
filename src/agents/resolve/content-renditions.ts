import { type PreviewSize, SIZES } from '../../preview/rendition.rules.js';

/** What agents can fetch of an asset. */
export const CONTENT_RENDITIONS = ['original', ...(Object.keys(SIZES) as PreviewSize[]), 'fit'] as const;
export type ContentRendition = (typeof CONTENT_RENDITIONS)[number];
