import type { SupportedMime } from '../media/media.types.js';

/** Specification, section 2. */
export const SUPPORTED_TYPES: readonly SupportedMime[] = [
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/heic',
  'video/mp4',
];

export function isSupported(mimeType: string): mimeType is SupportedMime {
  return SUPPORTED_TYPES.some((type) => type === mimeType);
}

/** The file name without its ending; what is left must still be a title. */
export function defaultTitle(originalFilename: string, maxLength: number): string {
  const name = originalFilename.trim();
  const withoutEnding = name.replace(/(?<=.)\.[^.\s]{1,10}$/u, '').trim();
  return [...(withoutEnding || name || 'Untitled')].slice(0, maxLength).join('');
}

const MIB = 1024 * 1024;
const MIN_PART_BYTES = 8 * MIB;
const MAX_PARTS = 1_000;

export interface PartPlan {
  readonly partNumber: number;
  readonly sizeBytes: number;
}

/** Parts of equal size but the last, as R2 demands, and few enough to list their URLs in one answer. */
export function partSizeFor(totalBytes: number): number {
  return Math.max(MIN_PART_BYTES, Math.ceil(totalBytes / MAX_PARTS / MIB) * MIB);
}

export function planParts(totalBytes: number, partSizeBytes: number): PartPlan[] {
  const count = Math.max(1, Math.ceil(totalBytes / partSizeBytes));
  return Array.from({ length: count }, (_, index) => ({
    partNumber: index + 1,
    sizeBytes: Math.min(partSizeBytes, totalBytes - index * partSizeBytes),
  }));
}
