import type { Request } from 'express';
import { HostCookie } from '../common/http/host-cookie.js';

/** Lets `<img>` and `<video>` of our own pages load previews: the browser sends it where no header can be set. */
export class SessionCookie extends HostCookie {
  constructor(publicUrl: string) {
    super('session', publicUrl);
  }

  /** A request that changes something and is authenticated by the cookie alone must come from our own pages (CSRF). */
  provesOrigin(request: Request): boolean {
    if (['GET', 'HEAD', 'OPTIONS'].includes(request.method)) return true;
    if (request.headers['sec-fetch-site'] === 'same-origin') return true;
    const { origin } = request.headers;
    return (
      origin !== undefined &&
      (origin === this.ownOrigin || origin === `${request.protocol}://${request.headers.host}`)
    );
  }
}
