import { type DynamicModule, Module } from '@nestjs/common';
import { CONFIG } from './config.token.js';
import type { Config } from './config.js';

@Module({})
export class ConfigModule {
  static for(config: Config): DynamicModule {
    return {
      module: ConfigModule,
      global: true,
      providers: [{ provide: CONFIG, useValue: config }],
      exports: [CONFIG],
    };
  }
}
