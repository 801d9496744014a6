import type { RequestHandler } from 'express';
import { logger } from '../logging/logger.js';

/** Behind a proxy that is not trusted, all callers seem to come from the proxy's address and share its limits. */
export function warnOfUntrustedProxy(): RequestHandler {
  let warned = false;
  return (request, _response, next) => {
    if (!warned && request.headers['x-forwarded-for'] !== undefined) {
      warned = true;
      logger.warn(
        'A request carries X-Forwarded-For, but TRUST_PROXY is off: the header is ignored. ' +
          'If a proxy is in front of this service, set TRUST_PROXY so that sign-in limits apply to each caller, not to the proxy.',
      );
    }
    next();
  };
}
