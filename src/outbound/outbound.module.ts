import { Module } from '@nestjs/common';
import { CONFIG } from '../config/config.token.js';
import type { Config } from '../config/config.js';
import { OutboundClient } from './outbound-client.js';

/** However fast the target reads. */
const MAX_UPLOAD_SECONDS = 4 * 3_600;

@Module({
  providers: [
    {
      provide: OutboundClient,
      inject: [CONFIG],
      useFactory: ({ targets, deliveries }: Config) =>
        new OutboundClient({
          allowPrivate: targets.allowPrivate,
          uploads: { minBytesPerSecond: deliveries.minBytesPerSecond, maxSeconds: MAX_UPLOAD_SECONDS },
        }),
    },
  ],
  exports: [OutboundClient],
})
export class OutboundModule {}
