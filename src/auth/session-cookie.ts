import { HostCookie } from '../common/http/host-cookie.js';

/** Lets `<img>` and `<video>` of our own pages load previews: the browser sends it where no header can be set. */
export class SessionCookie extends HostCookie {
  constructor(publicUrl: string) {
    super('session', publicUrl);
  }
}
