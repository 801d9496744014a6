import { HostCookie } from '../common/http/host-cookie.js';

/** Lets `<img>` and `<video>` in our own pages load previews, where no header can be set. */
export class SessionCookie extends HostCookie {
  constructor(publicUrl: string) {
    super('session', publicUrl);
  }
}
