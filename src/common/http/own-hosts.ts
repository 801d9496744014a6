import type { NextFunction, Request, Response } from 'express';
import { isIP } from 'node:net';
import type { HttpConfig } from '../../config/config.js';
import { Problem } from '../errors/problem.js';

const LOOPBACK = ['127.0.0.1', 'localhost', '::1'];
const WILDCARDS = ['0.0.0.0', '::'];

/**
 * Whether a `Host` header names this server. A page can make its own name resolve to this machine (DNS rebinding) and would then share our
 * origin, but it cannot choose the name that the browser sends. The port does not matter, because it may be forwarded.
 */
export function ownHosts({ host, publicUrl }: HttpConfig): (header: string | undefined) => boolean {
  const names = new Set([...LOOPBACK, host, new URL(publicUrl).hostname].map(withoutBrackets));
  // A server on all interfaces is reached by addresses that it need not know. Only names can be rebound.
  const isReachedByAddress = WILDCARDS.includes(host);
  return (header) => {
    const name = /^(\[[^\]]+\]|[^:]+)(?::\d+)?$/.exec(header ?? '')?.[1];
    if (name === undefined) return false;
    const plain = withoutBrackets(name);
    return names.has(plain) || (isReachedByAddress && isIP(plain) !== 0);
  };
}

/** Rejects requests for other hosts before anything else. */
export function rejectOtherHosts(http: HttpConfig) {
  const isOwn = ownHosts(http);
  return (request: Request, _response: Response, next: NextFunction): void => {
    if (!isOwn(request.headers.host))
      throw new Problem(
        'host_not_allowed',
        'The embedded setup only accepts requests for its own host names. Set PUBLIC_URL to the address that people open.',
      );
    next();
  };
}

function withoutBrackets(name: string): string {
  return name.replace(/^\[|\]$/g, '').toLowerCase();
}
