import { fileURLToPath } from 'node:url';
import { Module } from '@nestjs/common';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.token.js';
import { memoryFor, memoryLimit } from '../config/memory.js';
import { logger } from '../common/logging/logger.js';
import { describeConfinement, findConfinement } from './confinement.js';
import { requireFfmpeg } from './require-ffmpeg.js';
import { DecoderPool } from './decoder-pool.js';
import { MediaDecoder } from './media-decoder.js';
import { mediaDefaults } from './media-defaults.js';
import { type MediaOptions } from './media.types.js';

/** In this file, which no unit test loads: `import.meta` does not exist where jest runs. */
const entry = fileURLToPath(new URL('./child/main.js', import.meta.url));

function optionsFrom({ limits, media, storage }: Config): MediaOptions {
  warnOfLittleMemory(media.decoders);
  const sourceTimeoutMs = storage.configured
    ? storage.timeoutSeconds * 1000
    : mediaDefaults.limits.sourceTimeoutMs;
  const confinement = findConfinement(entry);
  logger.info(describeConfinement(confinement), 'decoder confinement');
  const { ffmpegPath, decoders } = media;
  if (ffmpegPath !== null) requireFfmpeg(ffmpegPath, { ...mediaDefaults, confinement });
  return {
    ...mediaDefaults,
    entry,
    ffmpegPath,
    confinement,
    decoders,
    limits: { ...mediaDefaults.limits, maxPixels: limits.imagePixels, sourceTimeoutMs },
  };
}

function warnOfLittleMemory(decoders: number): void {
  const [limit, needed] = [memoryLimit(), memoryFor(decoders)].map((bytes) =>
    Math.round(bytes / 1024 / 1024),
  );
  if (limit! < needed!)
    logger.warn(
      { limitMib: limit, neededMib: needed, decoders },
      'the memory limit is too small: the kernel may kill decoders of large files. Raise it or lower DECODERS',
    );
}

@Module({
  providers: [
    {
      provide: MediaDecoder,
      inject: [CONFIG],
      useFactory: (config: Config) => {
        const options = optionsFrom(config);
        return new MediaDecoder(new DecoderPool(options), options);
      },
    },
  ],
  exports: [MediaDecoder],
})
export class MediaModule {}
