import { HostCookie } from '../common/http/host-cookie.js';

/** Keeps our own pages signed in across reloads: they keep their access token only in memory. */
export class RefreshCookie extends HostCookie {
  constructor(publicUrl: string) {
    super('refresh', publicUrl, '/auth');
  }
}
