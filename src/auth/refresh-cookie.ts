import { HostCookie } from '../common/http/host-cookie.js';

/** Keeps our own pages signed in over a reload: they hold their access token in memory only. */
export class RefreshCookie extends HostCookie {
  constructor(publicUrl: string) {
    super('refresh', publicUrl, '/auth');
  }
}
