import { type PreviewSize, SIZES } from '../../preview/rendition.rules.js';

/** The renditions that agents can fetch. */
export const CONTENT_RENDITIONS = ['original', ...(Object.keys(SIZES) as PreviewSize[]), 'fit'] as const;
export type ContentRendition = (typeof CONTENT_RENDITIONS)[number];
