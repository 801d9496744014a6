import type { Request } from 'express';
import type { HostCookie } from '../common/http/host-cookie.js';

export const API_KEY_PREFIX = 'cal_';
export const PICKER_PREFIX = 'calp_';

export type CredentialKind = 'access_token' | 'api_key' | 'picker';

export interface PresentedCredential {
  readonly kind: CredentialKind;
  readonly value: string;
  readonly fromCookie: boolean;
}

/** The credential in the request. A header always takes precedence over the cookie, even if it is invalid. */
export function presentedCredential(request: Request, cookie: HostCookie): PresentedCredential | null {
  const { authorization } = request.headers;
  if (authorization !== undefined) {
    const bearer = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
    if (bearer === undefined) return null;
    return { kind: kindOf(bearer), value: bearer, fromCookie: false };
  }
  const apiKey = request.headers['x-api-key'];
  if (typeof apiKey === 'string') return { kind: 'api_key', value: apiKey, fromCookie: false };
  const token = cookie.read(request);
  return token === null ? null : { kind: 'access_token', value: token, fromCookie: true };
}

function kindOf(bearer: string): CredentialKind {
  if (bearer.startsWith(API_KEY_PREFIX)) return 'api_key';
  return bearer.startsWith(PICKER_PREFIX) ? 'picker' : 'access_token';
}
