import type { OutboundClient } from '../../../outbound/outbound-client.js';
import { OutboundError } from '../../../outbound/outbound-error.js';
import { StepFailure } from '../../verification.js';
import { findRestRoot, findSite, type Send } from './wordpress-discovery.js';
import { DeliveryError } from '../../delivery-error.js';
import type { WordPressSite } from './wordpress-media.js';

const SEARCH_MS = 30_000;

/**
 * Looks for the REST API in the way a verification does, after the site responded with a page where it used to be. Throws `failure`, the
 * error of that response, if it is still there or the site cannot tell.
 */
export async function findOtherRestRoot(
  outbound: OutboundClient,
  { baseUrl, restRoot }: WordPressSite,
  failure: DeliveryError,
  signal: AbortSignal,
): Promise<string> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(SEARCH_MS)]);
  const send: Send = (request) => outbound.request({ ...request, signal: deadline });
  try {
    const found = await findRestRoot(send, await findSite(send, baseUrl));
    if ('root' in found && found.root !== restRoot) return found.root;
    if ('root' in found) throw failure;
    const { step, ambiguous } = failure;
    throw new DeliveryError('target_rest_api_missing', step, { ambiguous, more: found.missing.cause });
  } catch (error) {
    throw error instanceof StepFailure || error instanceof OutboundError ? failure : error;
  }
}
