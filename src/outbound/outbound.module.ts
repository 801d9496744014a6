import { Module } from '@nestjs/common';
import { CONFIG } from '../config/config.token.js';
import type { Config } from '../config/config.js';
import { OutboundClient } from './outbound-client.js';

@Module({
  providers: [
    {
      provide: OutboundClient,
      inject: [CONFIG],
      useFactory: ({ targets, deliveries }: Config) =>
        new OutboundClient({ allowPrivate: targets.allowPrivate, uploads: deliveries.uploads }),
    },
  ],
  exports: [OutboundClient],
})
export class OutboundModule {}
