import { Injectable } from '@nestjs/common';
import { HostCookie } from '../common/http/host-cookie.js';
import type { Config } from '../config/config.js';
import { InjectConfig } from '../config/config.token.js';

/** The maximum lifetime that browsers allow for a cookie. */
export const DEVICE_COOKIE_SECONDS = 400 * 86_400;

@Injectable()
export class Cookies {
  /** Lets `<img>` and `<video>` in our own pages load previews, where no header can be set. */
  readonly session: HostCookie;
  /** Keeps our own pages signed in across reloads: they keep their access token only in memory. */
  readonly refresh: HostCookie;
  /** The same for the picker in a frame on another site, where the other cookies are not sent: once for each site that embeds it. */
  readonly embeddedRefresh: HostCookie;
  /** Remembers that a user signed in with this browser. It does not authenticate: it only gives the browser a separate login limit. */
  readonly device: HostCookie;

  constructor(@InjectConfig() { http: { publicUrl } }: Config) {
    this.session = new HostCookie('session', publicUrl);
    this.refresh = new HostCookie('refresh', publicUrl, { path: '/auth' });
    this.embeddedRefresh = new HostCookie('embedded-refresh', publicUrl, {
      path: '/auth',
      partitioned: true,
    });
    this.device = new HostCookie('device', publicUrl);
  }
}
