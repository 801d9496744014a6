import { Injectable } from '@nestjs/common';
import type { Principal } from '../../access/principal.js';
import { FairLimiter } from '../../common/fair-limiter.js';

/** How many calls wait at the same time, in this process and for one caller. */
const CAPACITY = 64;
const PER_CALLER = 4;

class Full extends Error {}

/** Limits how many calls wait for an event. A call beyond the limit returns without waiting, which is not an error. */
@Injectable()
export class CallWaits {
  private readonly limiter = new FairLimiter({
    capacity: CAPACITY,
    perClient: PER_CALLER,
    maxWaitMs: 0,
    full: () => new Full(),
  });

  async run(caller: Principal, wait: () => Promise<void>): Promise<void> {
    try {
      await this.limiter.run({ clientId: caller.id, priority: 'interactive' }, wait);
    } catch (error) {
      if (!(error instanceof Full)) throw error;
    }
  }
}
