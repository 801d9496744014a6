import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';

export interface Preflight {
  readonly status: number;
  readonly allowOrigin: string | null;
  readonly allowMethods: readonly string[];
  /** In lower case. Stores also send them in the preflight response. */
  readonly exposeHeaders: readonly string[];
}

/**
 * Sends the preflight that a browser would send before a PUT from a page of this origin. `fetch` cannot do it, because it sets Origin
 * itself.
 */
export function preflight(url: string, origin: string, timeoutMs: number): Promise<Preflight> {
  const send = url.startsWith('https:') ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const request = send(url, {
      method: 'OPTIONS',
      timeout: timeoutMs,
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': 'PUT',
        'Access-Control-Request-Headers': 'content-type',
      },
    });
    request.on('response', (response) => {
      response.resume();
      const list = (name: string) =>
        (header(response.headers[name]) ?? '').split(',').map((item) => item.trim());
      resolve({
        status: response.statusCode ?? 0,
        allowOrigin: header(response.headers['access-control-allow-origin']),
        allowMethods: list('access-control-allow-methods').map((method) => method.toUpperCase()),
        exposeHeaders: list('access-control-expose-headers').map((name) => name.toLowerCase()),
      });
    });
    request.on('timeout', () => request.destroy(new Error('The store did not respond in time.')));
    request.on('error', reject);
    request.end();
  });
}

function header(value: string | string[] | undefined): string | null {
  return Array.isArray(value) ? value.join(',') : (value ?? null);
}
