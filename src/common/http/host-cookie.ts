import type { CookieOptions, Request, Response } from 'express';

/** A cookie that neither scripts nor other sites can use; on https it is Secure and bound to the host. */
export class HostCookie {
  protected readonly ownOrigin: string;
  private readonly secure: boolean;
  private readonly name: string;

  constructor(name: string, publicUrl: string) {
    this.ownOrigin = new URL(publicUrl).origin;
    this.secure = this.ownOrigin.startsWith('https:');
    this.name = this.secure ? `__Host-${name}` : name;
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

  private attributes(): CookieOptions {
    return { httpOnly: true, sameSite: 'strict', secure: this.secure, path: '/' };
  }
}
