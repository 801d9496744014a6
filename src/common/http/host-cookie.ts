import type { CookieOptions, Request, Response } from 'express';

interface HostCookieOptions {
  readonly path?: string;
  /**
   * Browsers also send it in a frame on another site, but each site has one of its own (CHIPS). They only keep it on https and on this
   * computer.
   */
  readonly partitioned?: boolean;
}

/**
 * A cookie that neither scripts nor, unless it is partitioned, other sites can use. On https it is Secure and, unless it is limited to a
 * path, bound to the host.
 */
export class HostCookie {
  private readonly ownOrigin: string;
  private readonly secure: boolean;
  private readonly name: string;
  private readonly path: string;
  private readonly partitioned: boolean;

  constructor(name: string, publicUrl: string, { path = '/', partitioned = false }: HostCookieOptions = {}) {
    this.path = path;
    this.partitioned = partitioned;
    this.ownOrigin = new URL(publicUrl).origin;
    this.secure = this.ownOrigin.startsWith('https:');
    // Browsers accept the prefix __Host- only with the path /.
    const prefix = path === '/' ? '__Host-' : '__Secure-';
    this.name = this.secure ? prefix + name : name;
  }

  set(response: Response, value: string, lifetimeSeconds: number): void {
    response.cookie(this.name, value, { ...this.attributes(), maxAge: lifetimeSeconds * 1000 });
  }

  clear(response: Response): void {
    response.clearCookie(this.name, this.attributes());
  }

  read(request: Request): string | null {
    for (const pair of (request.headers.cookie ?? '').split(';')) {
      const separator = pair.indexOf('=');
      if (pair.slice(0, separator).trim() === this.name) return pair.slice(separator + 1).trim();
    }
    return null;
  }

  /** An unsafe request that is authenticated only by the cookie must come from our own pages (CSRF protection). */
  provesOrigin(request: Request): boolean {
    if (['GET', 'HEAD', 'OPTIONS'].includes(request.method)) return true;
    if (request.headers['sec-fetch-site'] === 'same-origin') return true;
    const { origin } = request.headers;
    return (
      origin !== undefined &&
      (origin === this.ownOrigin || origin === `${request.protocol}://${request.headers.host}`)
    );
  }

  private attributes(): CookieOptions {
    const { path } = this;
    if (this.partitioned) return { httpOnly: true, sameSite: 'none', secure: true, partitioned: true, path };
    return { httpOnly: true, sameSite: 'strict', secure: this.secure, path };
  }
}
