import { fileURLToPath } from 'node:url';
import { type DynamicModule, Inject, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
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
  static register(options: Partial<MediaOptions> = {}): DynamicModule {
    const inspector = {
      provide: MediaInspector,
      useFactory: () => new MediaInspector({ entry, ...mediaDefaults, ...options }),
    };
    return { module: MediaModule, providers: [inspector, MediaShutdown], exports: [MediaInspector] };
  }
}
