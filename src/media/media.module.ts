import { fileURLToPath } from 'node:url';
import { Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { DecoderPool } from './decoder-pool.js';
import { MediaInspector } from './media-inspector.js';
import { MediaRenderer } from './media-renderer.js';
import { mediaDefaults, type MediaOptions } from './media.types.js';

/** Kept in this file, which no unit test loads: `import.meta` does not exist where jest runs. */
const entry = fileURLToPath(new URL('./child/main.js', import.meta.url));
const options: MediaOptions = { entry, ...mediaDefaults };

@Injectable()
class MediaShutdown implements OnApplicationShutdown {
  constructor(private readonly pool: DecoderPool) {}

  onApplicationShutdown(): Promise<void> {
    return this.pool.close();
  }
}

/** One pool for looking and rendering alike, so that memory and concurrency are bounded together. */
@Module({
  providers: [
    { provide: DecoderPool, useFactory: () => new DecoderPool(options) },
    {
      provide: MediaInspector,
      useFactory: (pool: DecoderPool) => new MediaInspector(pool, options),
      inject: [DecoderPool],
    },
    {
      provide: MediaRenderer,
      useFactory: (pool: DecoderPool) => new MediaRenderer(pool, options),
      inject: [DecoderPool],
    },
    MediaShutdown,
  ],
  exports: [MediaInspector, MediaRenderer],
})
export class MediaModule {}
