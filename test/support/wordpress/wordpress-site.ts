import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/** The certificate of `https` sites. A service trusts it with `NODE_EXTRA_CA_CERTS`. */
export const LOOPBACK_CERTIFICATE = join(__dirname, 'tls/loopback-cert.pem');
const LOOPBACK_KEY = join(__dirname, 'tls/loopback-key.pem');

export const SITE_USER = {
  username: 'asset-library',
  email: 'library@bakery.example',
  applicationPassword: 'abcd EFGH 1234 ijkl MNOP 5678',
};

type Role = 'administrator' | 'editor' | 'author' | 'contributor' | 'subscriber';

export interface WordPressSettings {
  permalinks: 'pretty' | 'plain';
  /** Whether the web server passes every path to WordPress. With plain permalinks, WordPress then ignores the path. */
  rewriting: boolean;
  /** The directory of the installation: `/blog`. */
  directory: string;
  /** Null: a user of the network who is not a member of this site. */
  role: Role | null;
  /** False: `authentication: []`, as on http or when a plugin turns them off. */
  applicationPasswords: boolean;
  /** False: a cache drops the `Link` header; the page still has its link. */
  linkHeader: boolean;
  /** False: no link in the page either, as when a plugin hides the REST API. */
  linkInPage: boolean;
  /** The REST API address that the site reports, if it is wrong or on another host. */
  restRoot: string | null;
  /** Returns `incorrect_password` or `invalid_username` instead of `rest_not_logged_in`. */
  namesWrongCredentials: boolean;
  /** Every request to this origin is redirected there, with the same path. */
  redirectTo: string | null;
  fault: WordPressFault | null;
}

export type WordPressFault =
  /** 503 with `Retry-After`. */
  | 'maintenance'
  /** The web server requires a password. */
  | 'staging'
  /** PHP prints warnings before the JSON. */
  | 'php_warnings'
  /** The web server does not pass `Authorization` on to PHP. */
  | 'authorization_dropped'
  /** A plugin returns 401 to anonymous callers of the REST API. */
  | 'index_hidden'
  /** A firewall returns 403 with a page to callers with credentials. */
  | 'firewall'
  /** 500, as JSON or as a page by `Accept`. */
  | 'fatal'
  /** Another program with its own REST API. */
  | 'not_wordpress'
  /** Never responds. */
  | 'hang'
  /** Closes the connection without a response. */
  | 'cut';

export interface RestRequest {
  readonly method: string;
  /** `/wp/v2/media/7` */
  readonly route: string;
  /** The groups of the route's pattern. */
  readonly params: readonly string[];
  readonly query: URLSearchParams;
  readonly user: { readonly role: Role | null } | null;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

export interface RestResponse {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Record<string, string>;
}

/** Null if the handler has sent the response itself. */
export type RestHandler = (request: RestRequest) => RestResponse | null | Promise<RestResponse | null>;

export interface RecordedRequest {
  readonly method: string;
  readonly url: string;
  readonly authorization: string | undefined;
}

const DEFAULTS: WordPressSettings = {
  permalinks: 'pretty',
  rewriting: true,
  directory: '',
  role: 'author',
  applicationPasswords: true,
  linkHeader: true,
  linkInPage: true,
  restRoot: null,
  namesWrongCredentials: false,
  redirectTo: null,
  fault: null,
};

/** Faults of what is in front of WordPress. */
const REFUSING: readonly (WordPressFault | null)[] = ['staging', 'maintenance', 'fatal', 'firewall'];
const UPLOADERS: readonly (Role | null)[] = ['administrator', 'editor', 'author'];
const FATAL = 'Uncaught Error in /var/www/html/wp-content/plugins/broken/broken.php:12';
const PHP_WARNING =
  '<br />\n<b>Warning</b>:  Undefined array key "x" in <b>/var/www/html/a.php</b> on line <b>3</b><br />\n';

/**
 * A WordPress site over real HTTP, as far as the REST API is concerned. It behaves as measured on WordPress 6.1 and 7.1; further
 * routes are added with `handle`.
 */
export class WordPressSite {
  settings: WordPressSettings = { ...DEFAULTS };
  readonly requests: RecordedRequest[] = [];
  private nextPage: (() => void) | null = null;
  private readonly routes: { method: string; pattern: RegExp; handler: RestHandler }[] = [];

  private constructor(
    private readonly server: Server,
    private readonly scheme: 'http' | 'https',
  ) {
    this.handle('GET', /^\/$/, () => this.index());
    this.handle('GET', /^\/wp\/v2\/users\/me$/, (request) => this.currentUser(request));
    this.handle('OPTIONS', /^\/wp\/v2\/media$/, ({ user }) => ({
      status: 200,
      body: { namespace: 'wp/v2', methods: ['GET', 'POST'] },
      headers: { allow: mayUpload(user) ? 'GET, POST' : 'GET' },
    }));
  }

  static async start(
    settings: Partial<WordPressSettings> = {},
    { https = false }: { https?: boolean } = {},
  ): Promise<WordPressSite> {
    const server = https
      ? createTlsServer({ key: readFileSync(LOOPBACK_KEY), cert: readFileSync(LOOPBACK_CERTIFICATE) })
      : createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const site = new WordPressSite(server, https ? 'https' : 'http');
    site.settings = { ...DEFAULTS, ...settings };
    server.on(
      'request',
      (request: IncomingMessage, response: ServerResponse) => void site.serve(request, response),
    );
    return site;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  cutConnections(): void {
    this.server.closeAllConnections();
  }

  /** Resets the site to the defaults, with these differences. */
  reset(settings: Partial<WordPressSettings> = {}): void {
    this.settings = { ...DEFAULTS, ...settings };
    this.requests.length = 0;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get origin(): string {
    return `${this.scheme}://127.0.0.1:${this.port}`;
  }

  /** The address that a person would enter. */
  get baseUrl(): string {
    return this.origin + this.settings.directory;
  }

  /** The body that creates a target for this site. */
  target(change: Record<string, unknown> = {}): Record<string, unknown> {
    const { username, applicationPassword } = SITE_USER;
    return {
      kind: 'wordpress',
      name: `Site ${this.port}`,
      baseUrl: this.baseUrl,
      username,
      applicationPassword,
      ...change,
    };
  }

  /** Calls the listener once, before the next page. */
  once(_moment: 'page', listener: () => void): void {
    this.nextPage = listener;
  }

  /** The last handler for a route wins, so that others can replace the ones here. */
  handle(method: string, pattern: RegExp, handler: RestHandler): void {
    this.routes.unshift({ method, pattern, handler });
  }

  private get restRoot(): string {
    const { restRoot, permalinks, directory } = this.settings;
    if (restRoot !== null) return restRoot;
    const site = this.origin + directory;
    return permalinks === 'pretty' ? `${site}/wp-json/` : `${site}/index.php?rest_route=/`;
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/', headers } = request;
    this.requests.push({ method, url, authorization: headers.authorization });
    const { fault, redirectTo } = this.settings;
    if (fault === 'hang') return;
    if (fault === 'cut') return void request.socket.destroy();
    if (redirectTo !== null || REFUSING.includes(fault)) await drain(request);
    if (redirectTo !== null) return send(response, 301, '', { location: redirectTo + url });
    if (fault === 'staging') {
      const challenge = { 'www-authenticate': 'Basic realm="Staging"', 'content-type': 'text/html' };
      return send(response, 401, '<html><title>401 Authorization Required</title></html>', challenge);
    }
    const { pathname, searchParams } = new URL(url, this.origin);
    const route = this.routeOf(pathname, searchParams);
    if (fault === 'maintenance')
      return this.fail(request, response, 503, 'wp_die', 'Briefly unavailable for scheduled maintenance.', {
        'retry-after': '600',
      });
    if (fault === 'fatal') return this.fail(request, response, 500, 'internal_server_error', FATAL);
    if (route === null) {
      await drain(request);
      return this.servePage(request, pathname, response);
    }
    if (fault === 'firewall' && headers.authorization !== undefined)
      return send(response, 403, '<html><h1>Blocked</h1></html>', { 'content-type': 'text/html' });
    await this.serveRest(route, searchParams, request, response);
  }

  /** The REST route of a request; null: a page. */
  private routeOf(pathname: string, query: URLSearchParams): string | null {
    const { directory, permalinks } = this.settings;
    const plain = query.get('rest_route');
    if (plain !== null && [`${directory}/`, `${directory}/index.php`].includes(pathname)) return plain;
    const root = `${directory}/wp-json`;
    if (permalinks === 'plain' || !(pathname === root || pathname.startsWith(`${root}/`))) return null;
    return pathname.slice(root.length) || '/';
  }

  private servePage({ method, url }: IncomingMessage, pathname: string, response: ServerResponse): void {
    const { directory, linkHeader, linkInPage, permalinks, rewriting } = this.settings;
    this.nextPage?.();
    this.nextPage = null;
    if (directory !== '' && pathname === directory)
      return send(response, 301, '', { location: `${directory}/` });
    const link = `<link rel="https://api.w.org/" href="${this.restRoot.replaceAll('&', '&#038;')}" />`;
    const page = `<!DOCTYPE html><html><head><title>Bakery</title>${linkInPage ? link : ''}</head></html>`;
    const isHome = pathname === `${directory}/`;
    const ignoresPath = permalinks === 'plain' && rewriting;
    // Only GET and HEAD are redirected to the canonical form of the path.
    if (ignoresPath && !pathname.endsWith('/') && method !== 'POST')
      return send(response, 301, '', { location: this.origin + url!.replace(pathname, `${pathname}/`) });
    const status = isHome || ignoresPath ? 200 : 404;
    send(response, status, page, {
      'content-type': 'text/html; charset=UTF-8',
      ...(linkHeader && linkInPage ? { link: `<${this.restRoot}>; rel="https://api.w.org/"` } : {}),
    });
  }

  private async serveRest(
    route: string,
    query: URLSearchParams,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const { fault } = this.settings;
    const caller = this.authenticate(request.headers.authorization);
    const known = this.routes.find(({ method, pattern }) => method === request.method && pattern.test(route));
    let result: RestResponse | null;
    if ('error' in caller) result = restError(401, caller.error, 'The credentials are wrong.');
    else if (fault === 'index_hidden' && caller.user === null)
      result = restError(401, 'rest_login_required', 'Only signed-in users may use the REST API.');
    else if (known === undefined)
      result = restError(404, 'rest_no_route', 'No route was found matching the URL.');
    else {
      const params = known.pattern.exec(route)!.slice(1);
      result = await known.handler({
        method: request.method!,
        route,
        params,
        query,
        user: caller.user,
        request,
        response,
      });
    }
    if (result === null) return;
    const fields = query.get('_fields')?.split(',');
    const json = JSON.stringify(fields && result.status < 400 ? pick(result.body, fields) : result.body);
    send(response, result.status, fault === 'php_warnings' ? PHP_WARNING + json : json, {
      'content-type': 'application/json; charset=UTF-8',
      'x-robots-tag': 'noindex',
      ...result.headers,
    });
  }

  private authenticate(authorization: string | undefined): { user: RestRequest['user'] } | { error: string } {
    const { fault, applicationPasswords, namesWrongCredentials, role } = this.settings;
    const [, basic] = /^Basic (.+)$/.exec(authorization ?? '') ?? [];
    if (basic === undefined || fault === 'authorization_dropped' || !applicationPasswords)
      return { user: null };
    const text = Buffer.from(basic, 'base64').toString();
    const [username, password] = [text.slice(0, text.indexOf(':')), text.slice(text.indexOf(':') + 1)];
    const isKnown = username === SITE_USER.username || username === SITE_USER.email;
    // WordPress drops everything but letters and digits.
    const bare = (value: string) => value.replace(/[^a-z\d]/gi, '');
    if (isKnown && bare(password) === bare(SITE_USER.applicationPassword)) return { user: { role } };
    if (!namesWrongCredentials) return { user: null };
    return { error: isKnown ? 'incorrect_password' : 'invalid_username' };
  }

  private index(): RestResponse {
    const { applicationPasswords, fault } = this.settings;
    const isOther = fault === 'not_wordpress';
    return {
      status: 200,
      body: {
        name: 'Bakery',
        home: this.baseUrl,
        namespaces: isOther ? ['shop/v1'] : ['oembed/1.0', 'wp/v2', 'wp-site-health/v1'],
        // An empty PHP array becomes a list.
        authentication: applicationPasswords
          ? {
              'application-passwords': {
                endpoints: { authorization: `${this.baseUrl}/wp-admin/authorize-application.php` },
              },
            }
          : [],
        routes: {},
      },
    };
  }

  private currentUser({ user }: RestRequest): RestResponse {
    if (user === null) return restError(401, 'rest_not_logged_in', 'You are not currently logged in.');
    const capabilities = user.role === null ? {} : { read: true, upload_files: mayUpload(user) };
    return {
      status: 200,
      body: { id: 7, name: 'Asset Library', roles: user.role === null ? [] : [user.role], capabilities },
    };
  }

  /** Like wp_die: JSON if the caller accepts it, otherwise a page. */
  private fail(
    { headers }: IncomingMessage,
    response: ServerResponse,
    status: number,
    code: string,
    message: string,
    extra: Record<string, string> = {},
  ): void {
    if (headers.accept?.includes('application/json')) {
      const body = JSON.stringify({ code, message, data: { status } });
      return send(response, status, body, { 'content-type': 'application/json; charset=UTF-8', ...extra });
    }
    send(response, status, `<html><body><h1>${message}</h1></body></html>`, {
      'content-type': 'text/html',
      ...extra,
    });
  }
}

/** Web servers read the rest of a rejected upload; otherwise the caller might never see the response. */
export async function drain(request: IncomingMessage): Promise<void> {
  request.resume();
  if (!request.complete) await Promise.race([once(request, 'end'), once(request, 'close')]);
}

export function mayUpload(user: RestRequest['user']): boolean {
  return user !== null && UPLOADERS.includes(user.role);
}

export function restError(status: number, code: string, message: string): RestResponse {
  return { status, body: { code, message, data: { status } } };
}

function send(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, headers).end(body);
}

function pick(body: unknown, fields: readonly string[]): unknown {
  if (Array.isArray(body)) return body.map((each) => pick(each, fields));
  if (typeof body !== 'object' || body === null) return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => fields.includes(name)));
}
