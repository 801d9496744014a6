import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, text } from 'node:stream/consumers';

export interface StoreRequest {
  readonly method: string;
  /** Without the bucket. */
  readonly key: string;
  /** Without the question mark. */
  readonly query: string;
}

/** Selects requests: all given conditions must match. */
export interface StoreMatch {
  readonly method?: string;
  readonly key?: RegExp;
  readonly query?: RegExp;
  /** Only the nth matching request; if absent, every one. */
  readonly nth?: number;
}

/**
 * - `fail`: responds with 500. `deny`: responds with 403. `hang`: never responds. `cut`: the connection is reset, the request never arrives.
 * - `hideMissing`: responds with 403 instead of 404, as stores do for keys that may not list the bucket.
 * - `cutAfter`: the request is executed, and its response is lost.
 * - `cutMidway`, `stallMidway`: half of the response body arrives, then the connection is reset, or nothing more arrives.
 * - `before`, `after`: calls the test before the request is forwarded, or after it was executed, and continues when the call returns.
 * - `respond`: calls the test with the body of the request, and responds with the XML that it returns.
 */
export type StoreFault =
  | 'fail'
  | 'deny'
  | 'hang'
  | 'hideMissing'
  | 'cut'
  | 'cutAfter'
  | 'cutMidway'
  | 'stallMidway'
  | { before: (request: StoreRequest) => Promise<void> | void }
  | { after: (request: StoreRequest) => Promise<void> | void }
  | { respond: (body: string) => Promise<string> | string };

interface Rule {
  readonly match: StoreMatch;
  readonly fault: StoreFault;
  seen: number;
}

/** A proxy between the service and the object store. The Host header is forwarded unchanged, because the signature covers it. */
export class FaultProxy {
  private rules: Rule[] = [];
  /** The received requests, in order. */
  readonly requests: StoreRequest[] = [];

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
  ) {}

  static async to(endpoint: string): Promise<FaultProxy> {
    const server = createServer();
    const proxy = new FaultProxy(server, new URL(endpoint));
    server.on('request', (incoming: IncomingMessage, response: ServerResponse) => {
      proxy.handle(incoming, response).catch(() => incoming.socket.resetAndDestroy());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  on(match: StoreMatch, fault: StoreFault): void {
    this.rules.push({ match, fault, seen: 0 });
  }

  /** Removes all faults. */
  heal(): void {
    this.rules = [];
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const seen = describe(incoming);
    this.requests.push(seen);
    const fault = this.faultFor(seen);
    if (fault === 'cut') return void incoming.socket.resetAndDestroy();
    if (fault === 'hang') return void incoming.resume();
    if (fault === 'fail' || fault === 'deny') {
      incoming.resume();
      return refuse(response, fault);
    }
    if (isCall(fault, 'respond')) {
      const body = await fault.respond(await text(incoming));
      response.writeHead(200, { 'content-type': 'application/xml' });
      return void response.end(body);
    }
    if (isCall(fault, 'before')) await fault.before(seen);
    if (incoming.socket.destroyed) return;
    const upstream = await this.forward(incoming);
    if (fault === null) return this.send(upstream, response);

    if (fault === 'hideMissing') {
      if (upstream.statusCode !== 404) return this.send(upstream, response);
      upstream.resume();
      return refuse(response, 'deny');
    }
    const body = await buffer(upstream);
    if (isCall(fault, 'after')) await fault.after(seen);
    if (fault === 'cutAfter') return void incoming.socket.resetAndDestroy();
    response.writeHead(upstream.statusCode!, upstream.rawHeaders);
    if (fault !== 'cutMidway' && fault !== 'stallMidway') return void response.end(body);
    response.write(body.subarray(0, Math.ceil(body.length / 2)), () => {
      if (fault === 'cutMidway') incoming.socket.destroySoon();
    });
  }

  private faultFor(seen: StoreRequest): StoreFault | null {
    for (const rule of this.rules) {
      const { method, key, query, nth } = rule.match;
      if ((method && method !== seen.method) || (key && !key.test(seen.key))) continue;
      if (query && !query.test(seen.query)) continue;
      rule.seen++;
      if (nth === undefined || nth === rule.seen) return rule.fault;
    }
    return null;
  }

  private async forward(incoming: IncomingMessage): Promise<IncomingMessage> {
    const outgoing = request({
      host: this.target.hostname,
      port: this.target.port,
      method: incoming.method,
      path: incoming.url,
      headers: incoming.rawHeaders,
      setHost: false,
      agent: false,
    });
    incoming.pipe(outgoing);
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    return response;
  }

  private send(upstream: IncomingMessage, response: ServerResponse): void {
    response.writeHead(upstream.statusCode!, upstream.rawHeaders);
    upstream.on('error', () => response.destroy());
    response.on('close', () => upstream.destroy());
    upstream.pipe(response);
  }
}

function describe({ method = '', url = '' }: IncomingMessage): StoreRequest {
  const [path = '', query = ''] = url.split('?');
  const [, , ...key] = path.split('/');
  return { method, key: key.join('/'), query };
}

function refuse(response: ServerResponse, fault: 'fail' | 'deny'): void {
  const [status, code] = fault === 'fail' ? [500, 'InternalError'] : [403, 'AccessDenied'];
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(`<Error><Code>${code}</Code><Message>As told</Message></Error>`);
}

function isCall<K extends 'before' | 'after' | 'respond'>(
  fault: StoreFault | null,
  kind: K,
): fault is Extract<StoreFault, Record<K, unknown>> {
  return typeof fault === 'object' && fault !== null && kind in fault;
}
