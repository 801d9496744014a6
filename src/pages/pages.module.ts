import { Module } from '@nestjs/common';
import { fileURLToPath } from 'node:url';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.token.js';
import { PageFiles } from './page-files.js';
import { PagePolicy } from './page-policy.js';
import { PagesController } from './pages.controller.js';

/** Next to `dist`, both in a checkout and in the image. */
const BUILT_PAGES = fileURLToPath(new URL('../../../web/dist', import.meta.url));

@Module({
  controllers: [PagesController],
  providers: [
    {
      provide: PageFiles,
      inject: [CONFIG],
      useFactory: ({ pages }: Config) => new PageFiles(pages.directory ?? BUILT_PAGES),
    },
    { provide: PagePolicy, inject: [CONFIG], useFactory: (config: Config) => new PagePolicy(config) },
  ],
})
export class PagesModule {}
