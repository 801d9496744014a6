import type { Request } from 'express';
import type { HostCookie } from '../common/http/host-cookie.js';

export const API_KEY_PREFIX = 'cal_';

export interface PresentedCredential {
  readonly kind: 'access_token' | 'api_key';
  readonly value: string;
  readonly fromCookie: boolean;
}

/** The credential in the request. A header always takes precedence over the cookie, even if it is invalid. */
export function presentedCredential(request: Request, cookie: HostCookie): PresentedCredential | null {
  const { authorization } = request.headers;
  if (authorization !== undefined) {
    const bearer = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
    if (bearer === undefined) return null;
    return {
      kind: bearer.startsWith(API_KEY_PREFIX) ? 'api_key' : 'access_token',
      value: bearer,
      fromCookie: false,
    };
  }
  const apiKey = request.headers['x-api-key'];
  if (typeof apiKey === 'string') return { kind: 'api_key', value: apiKey, fromCookie: false };
  const token = cookie.read(request);
  return token === null ? null : { kind: 'access_token', value: token, fromCookie: true };
}
