import type { Response } from 'express';
import { HostCookie } from '../common/http/host-cookie.js';

/** The longest that browsers keep a cookie. */
const LIFETIME_SECONDS = 400 * 86_400;

/** Remembers that a user signed in with this browser. It authenticates nobody: it only gives the browser a login limit of its own. */
export class DeviceCookie extends HostCookie {
  constructor(publicUrl: string) {
    super('device', publicUrl);
  }

  remember(response: Response, deviceToken: string): void {
    this.set(response, deviceToken, LIFETIME_SECONDS);
  }
}
