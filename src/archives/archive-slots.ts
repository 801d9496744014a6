import { Injectable } from '@nestjs/common';
import { Problem } from '../common/errors/problem.js';

const PER_CLIENT = 4;

/** An archive occupies the store for a long time: a client gets a few at once. */
@Injectable()
export class ArchiveSlots {
  private readonly taken = new Map<string, number>();

  async use<T>(clientId: string, work: () => Promise<T>): Promise<T> {
    const count = this.taken.get(clientId) ?? 0;
    if (count >= PER_CLIENT) throw new Problem('too_many_downloads', undefined, { retryAfter: 10 });
    this.taken.set(clientId, count + 1);
    try {
      return await work();
    } finally {
      const left = this.taken.get(clientId)! - 1;
      if (left === 0) this.taken.delete(clientId);
      else this.taken.set(clientId, left);
    }
  }
}
