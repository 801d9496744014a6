import { networkOf } from '../common/http/client-network.js';
import type { SignInOrigin } from './sign-in-method.js';

/** Where a sign-in comes from, for those who look into it later. */
export function originForAudit({ address, userAgent }: SignInOrigin) {
  return { network: networkOf(address), userAgent };
}
