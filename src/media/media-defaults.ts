import { DECODER_BYTES, freeMemory } from '../config/memory.js';
import { type MediaOptions, UNCONFINED } from './media.types.js';

export const mediaDefaults: Omit<MediaOptions, 'entry'> = {
  ffmpegPath: null,
  confinement: UNCONFINED,
  decoders: 6,
  maxQueued: 2_000,
  maxQueuedPerClient: 200,
  maxJobsPerChild: 500,
  idleMs: 30_000,
  startTimeoutMs: 20_000,
  imageTimeLimitMs: 20_000,
  heicTimeLimitMs: 30_000,
  videoTimeLimitMs: 30_000,
  memoryLimitBytes: 1_500 * 1024 * 1024,
  recycleAboveBytes: 256 * 1024 * 1024,
  heapLimitMb: 512,
  limits: {
    maxPixels: 100_000_000,
    maxHeicBytes: 256 * 1024 * 1024,
    maxMoovBytes: 64 * 1024 * 1024,
    sourceTimeoutMs: 10_000,
  },
  hasFreeMemory: () => freeMemory() >= DECODER_BYTES,
};
