import type { MediaDetails } from './media.types.js';

const WORD = /^[A-Za-z0-9-]{1,64}$/;

/** A malicious file may control the child, so only well-formed details of its reply are kept. */
export function checkedDetails(given: unknown): MediaDetails {
  const details = (typeof given === 'object' && given !== null ? given : {}) as Record<string, unknown>;
  const {
    isSrgb,
    digitalSourceType,
    videoCodec,
    audioCodec,
    sampleRate,
    frameRate,
    isIndexFirst,
    hasEditList,
  } = details;
  return {
    ...(isBoolean(isSrgb) && { isSrgb }),
    ...(isWord(digitalSourceType) && { digitalSourceType }),
    ...(isWord(videoCodec) && { videoCodec }),
    ...((audioCodec === null || isWord(audioCodec)) && { audioCodec }),
    ...(isRate(sampleRate) && { sampleRate }),
    ...(isRate(frameRate) && { frameRate }),
    ...(isBoolean(isIndexFirst) && { isIndexFirst }),
    ...(isBoolean(hasEditList) && { hasEditList }),
  };
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

function isWord(value: unknown): value is string {
  return typeof value === 'string' && WORD.test(value);
}

function isRate(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value < 1e9;
}
