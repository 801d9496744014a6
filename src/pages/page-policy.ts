import type { Config, StorageConfig } from '../config/config.js';

const PICKER = '/embed/picker';

/** The Content-Security-Policy of the pages: no inline code, and no other origin than the store's, for uploads. */
export class PagePolicy {
  private readonly embedOrigins: readonly string[];
  private readonly common: string;

  constructor({ pages, storage }: Config) {
    this.embedOrigins = pages.embedOrigins;
    const store = storage.configured ? ` ${storeOrigin(storage)}` : '';
    this.common = [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data: blob:",
      "media-src 'self' blob:",
      "font-src 'self'",
      `connect-src 'self'${store}`,
      "manifest-src 'self'",
      "base-uri 'none'",
      "form-action 'self'",
      "require-trusted-types-for 'script'",
    ].join('; ');
  }

  /** The headers of the page at this path. Only the picker can be embedded, and only by the configured origins. */
  headersOf(path: string): Record<string, string | null> {
    const embedders = path === PICKER ? this.embedOrigins : [];
    if (embedders.length > 0)
      return {
        'Content-Security-Policy': `${this.common}; frame-ancestors ${embedders.join(' ')}`,
        // This header cannot list origins. Browsers that support frame-ancestors ignore it; others would reject every frame.
        'X-Frame-Options': null,
      };
    return {
      'Content-Security-Policy': `${this.common}; frame-ancestors 'none'`,
      'X-Frame-Options': 'DENY',
    };
  }
}

/** The origin to which browsers upload: with the bucket as a subdomain, unless the store uses path-style addresses. */
function storeOrigin({ publicEndpoint, forcePathStyle, bucket }: StorageConfig): string {
  const { protocol, host, origin } = new URL(publicEndpoint);
  return forcePathStyle ? origin : `${protocol}//${bucket}.${host}`;
}
