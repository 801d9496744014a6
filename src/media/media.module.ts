import { fileURLToPath } from 'node:url';
import { type DynamicModule, Inject, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.token.js';
import { MediaInspector } from './media-inspector.js';
import { mediaDefaults, type MediaOptions } from './media.types.js';

/** Kept in this file, which no unit test loads: `import.meta` does not exist where jest runs. */
const entry = fileURLToPath(new URL('./child/main.js', import.meta.url));

@Injectable()
class MediaShutdown implements OnApplicationShutdown {
  constructor(@Inject(MediaInspector) private readonly inspector: MediaInspector) {}

  onApplicationShutdown(): Promise<void> {
    return this.inspector.close();
  }
}

@Module({})
export class MediaModule {
  /** What the configuration has to say about it is known only once the application is put together. */
  static register(optionsFrom: (config: Config) => Partial<MediaOptions>): DynamicModule {
    const inspector = {
      provide: MediaInspector,
      inject: [CONFIG],
      useFactory: (config: Config) => new MediaInspector({ entry, ...mediaDefaults, ...optionsFrom(config) }),
    };
    return { module: MediaModule, providers: [inspector, MediaShutdown], exports: [MediaInspector] };
  }
}
