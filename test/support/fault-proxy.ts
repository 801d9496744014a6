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

/** Which requests: all conditions that are given must hold. */
export interface StoreMatch {
  readonly method?: string;
  readonly key?: RegExp;
  readonly query?: RegExp;
  /** Only the so-manieth that matches; absent: each of them. */
  readonly nth?: number;
}

/**
 * - `fail`: answers 500. `deny`: answers 403. `hang`: never answers. `cut`: the connection is reset, the request never arrives.
 * - `hideMissing`: answers 403 instead of 404, as stores do to keys that may not list the bucket.
 * - `cutAfter`: the request is carried out, its answer is lost.
 * - `cutMidway`, `stallMidway`: half of the answer's body arrives, then a reset, or nothing more.
 * - `before`, `after`: the test is called when the request is about to be forwarded, or has been carried out; it goes on
 *   when the call returns.
 * - `answer`: the test gets the request's body and answers in place of the store, with the XML it returns.
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
  | { answer: (body: string) => Promise<string> | string };

interface Rule {
  readonly match: StoreMatch;
  readonly fault: StoreFault;
  seen: number;
}

/** Stands between the service and the object store. The Host header stays as it was sent, because the signature covers it. */
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

  /** Everything passes again. */
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
    if (isCall(fault, 'answer')) {
      const body = await fault.answer(await text(incoming));
      response.writeHead(200, { 'content-type': 'application/xml' });
      return void response.end(body);
    }
    if (isCall(fault, 'before')) await fault.before(seen);
    if (incoming.socket.destroyed) return;
    const answer = await this.forward(incoming);
    if (fault === null) return this.send(answer, response);

    if (fault === 'hideMissing') {
      if (answer.statusCode !== 404) return this.send(answer, response);
      answer.resume();
      return refuse(response, 'deny');
    }
    const body = await buffer(answer);
    if (isCall(fault, 'after')) await fault.after(seen);
    if (fault === 'cutAfter') return void incoming.socket.resetAndDestroy();
    response.writeHead(answer.statusCode!, answer.rawHeaders);
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
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
    return answer;
  }

  private send(answer: IncomingMessage, response: ServerResponse): void {
    response.writeHead(answer.statusCode!, answer.rawHeaders);
    answer.on('error', () => response.destroy());
    response.on('close', () => answer.destroy());
    answer.pipe(response);
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

function isCall<K extends 'before' | 'after' | 'answer'>(
  fault: StoreFault | null,
  kind: K,
): fault is Extract<StoreFault, Record<K, unknown>> {
  return typeof fault === 'object' && fault !== null && kind in fault;
}
