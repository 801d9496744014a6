import type { Response } from 'express';
import { HostCookie } from '../common/http/host-cookie.js';

/** The maximum lifetime that browsers allow for a cookie. */
const LIFETIME_SECONDS = 400 * 86_400;

/** Remembers that a user signed in with this browser. It does not authenticate: it only gives the browser a separate login limit. */
export class DeviceCookie extends HostCookie {
  constructor(publicUrl: string) {
    super('device', publicUrl);
  }

  remember(response: Response, deviceToken: string): void {
    this.set(response, deviceToken, LIFETIME_SECONDS);
  }
}
