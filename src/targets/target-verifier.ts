import { Injectable } from '@nestjs/common';
import { Problem } from '../common/errors/problem.js';
import { FairLimiter } from '../common/fair-limiter.js';
import { HttpVerifier } from './kinds/http/http-verifier.js';
import type { TargetConnection } from './target-connection.js';
import type { Verification } from './verification.js';
import { WordPressVerifier } from './kinds/wordpress/wordpress-verifier.js';

const TOTAL_MS = 30_000;
const MAX_WAIT_MS = 15_000;

/** Runs verifications, limited in time and in number, so that slow sites do not pile up. Uses no database. */
@Injectable()
export class TargetVerifier {
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

  constructor(
    private readonly wordpress: WordPressVerifier,
    private readonly http: HttpVerifier,
  ) {}

  verify(clientId: string, connection: TargetConnection): Promise<Verification> {
    return this.limiter.run({ clientId, priority: 'interactive' }, () => {
      const signal = AbortSignal.timeout(TOTAL_MS);
      return connection.kind === 'wordpress'
        ? this.wordpress.verify(connection, signal)
        : this.http.verify(connection, signal);
    });
  }
}
