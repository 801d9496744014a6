import type { CookieOptions, Request, Response } from 'express';

/** Lets `<img>` and `<video>` of our own pages load previews: the browser sends it where no header can be set. */
export class SessionCookie {
  private readonly secure: boolean;
  private readonly name: string;
  private readonly ownOrigin: string;

  constructor(publicUrl: string) {
    this.ownOrigin = new URL(publicUrl).origin;
    this.secure = this.ownOrigin.startsWith('https:');
    this.name = this.secure ? '__Host-session' : 'session';
  }

  set(response: Response, accessToken: string, lifetimeSeconds: number): void {
    response.cookie(this.name, accessToken, { ...this.attributes(), maxAge: lifetimeSeconds * 1000 });
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

  private attributes(): CookieOptions {
    return { httpOnly: true, sameSite: 'strict', secure: this.secure, path: '/' };
  }
}
