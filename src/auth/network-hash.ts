import { createHash } from 'node:crypto';
import { networkOf } from '../common/http/client-network.js';

/** Tells whether a user has signed in from a network before, without recording the network. */
export function networkHashOf(userId: string | undefined, address: string): Buffer {
  return createHash('sha256')
    .update(`${userId} ${networkOf(address)}`)
    .digest();
}
