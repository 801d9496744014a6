import { Injectable } from '@nestjs/common';
import { Problem } from '../common/errors/problem.js';
import { FairLimiter } from '../common/fair-limiter.js';
import type { Config } from '../config/config.js';
import { InjectConfig } from '../config/config.token.js';
import type { TargetKind } from '../database/entities/target.entity.js';
import { OutboundClient } from '../outbound/outbound-client.js';
import type { KindServices } from './kinds/kind-definition.js';
import { KINDS } from './kinds/kinds.js';
import type { Verification } from './verification.js';

const TOTAL_MS = 30_000;
const MAX_WAIT_MS = 15_000;

/** Runs verifications, limited in time and in number, so that slow sites do not pile up. Uses no database. */
@Injectable()
export class TargetVerifier {
  private readonly services: KindServices;
  private readonly limiter = new FairLimiter({
    capacity: 12,
    perClient: 3,
    maxQueued: 100,
    maxQueuedPerClient: 10,
    maxWaitMs: MAX_WAIT_MS,
    full: (limit) =>
      new Problem(
        limit === 'client' ? 'too_many_requests' : 'server_busy',
        'Too many destinations are being verified at the moment.',
        { retryAfter: 10 },
      ),
  });

  constructor(outbound: OutboundClient, @InjectConfig() config: Config) {
    this.services = { outbound, config };
  }

  verify(clientId: string, kind: TargetKind, connection: object): Promise<Verification> {
    return this.limiter.run({ clientId, priority: 'interactive' }, () =>
      KINDS[kind].verify(connection, this.services, AbortSignal.timeout(TOTAL_MS)),
    );
  }
}
