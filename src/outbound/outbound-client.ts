import type { LookupAddress } from 'node:dns';
import { lookup as dnsLookup } from 'node:dns/promises';
import type { LookupFunction, Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { buildConnector, Client } from 'undici';
import { isPublicAddress, literalAddress, normalizeAddress, refusalOfUrl } from './address.rules.js';
import { concealing } from './conceal.js';
import { codeOfFailure, OutboundError } from './outbound-error.js';
import type { OutboundHead, OutboundResponse } from './outbound-response.js';
import { watchPace } from './upload-pace.js';

export interface OutboundRequest {
  readonly url: string;
  readonly method?: 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  /** A stream must yield exactly `bytes` bytes; otherwise the request is aborted. It is always destroyed. */
  readonly body?: Buffer | { readonly stream: Readable; readonly bytes: number };
  /** From the end of the request to the headers of the response; also the longest pause while the server receives the body. */
  readonly headersTimeoutMs?: number;
  /** The longest pause within the body of the response. */
  readonly bodyTimeoutMs?: number;
  /** For the whole request, including name resolution. */
  readonly totalTimeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly maxBodyBytes?: number;
  /** Returns the first `maxBodyBytes` of a longer body instead of failing. */
  readonly cutBody?: boolean;
}

export interface OutboundOptions {
  readonly allowPrivate: boolean;
  /** For requests with a stream. */
  readonly uploads: UploadLimits;
  /** For tests, which must not resolve names or connect. */
  readonly lookup?: (hostname: string) => Promise<LookupAddress[]>;
  readonly connector?: typeof buildConnector;
}

export interface UploadLimits {
  /** What the server must read on average during any `headersTimeoutMs`. */
  readonly minBytesPerSecond: number;
  readonly maxSeconds: number;
}

const CONNECT_TIMEOUT_MS = 10_000;
const HEADERS_TIMEOUT_MS = 30_000;
const BODY_TIMEOUT_MS = 30_000;
const TOTAL_TIMEOUT_MS = 60_000;
const MAX_BODY_BYTES = 1_000_000;
/** Before the next address of a host is tried; the last one has the whole connect timeout. */
const ATTEMPT_TIMEOUT_MS = 2_000;

interface Deadline {
  readonly signal: AbortSignal;
  readonly timedOut: () => boolean;
  /** Ends the request now, or after this time at the latest. */
  expire(afterMs?: number): void;
  end(): void;
}

/**
 * Sends every request whose address a person or another system chose. It resolves the name once, checks every address, connects only to
 * those, checks the connected socket again, and follows no redirects. Each request uses a new connection.
 */
export class OutboundClient {
  constructor(private readonly options: OutboundOptions) {}

  /** Resolves and checks the address of a URL without connecting to it. */
  async check(url: string, signal?: AbortSignal): Promise<void> {
    const deadline = startDeadline({ url, totalTimeoutMs: CONNECT_TIMEOUT_MS, signal });
    try {
      await this.resolve(this.parse(url), deadline);
    } finally {
      deadline.end();
    }
  }

  async request(request: OutboundRequest): Promise<OutboundResponse> {
    const deadline = startDeadline(request);
    const source = request.body && 'stream' in request.body ? request.body.stream : null;
    const { headersTimeoutMs = HEADERS_TIMEOUT_MS } = request;
    let sourceError: Error | null = null;
    source?.once('error', (error) => (sourceError = error));
    const sent = { connected: false, head: null as OutboundHead | null };
    // A server that sends its response byte by byte must not use all the time that is meant for the upload.
    source?.once('end', () => deadline.expire(headersTimeoutMs + TOTAL_TIMEOUT_MS));
    if (source) deadline.expire(this.options.uploads.maxSeconds * 1000);
    const onConnect = (socket: Socket) => {
      sent.connected = true;
      const { minBytesPerSecond } = this.options.uploads;
      if (source)
        watchPace(socket, { minBytesPerSecond, windowMs: headersTimeoutMs }, () => deadline.expire());
    };
    let client: Client | null = null;
    try {
      const url = this.parse(request.url);
      const addresses = await this.resolve(url, deadline);
      client = this.open(url, request, addresses, onConnect);
      const response = await client.request({
        path: url.pathname + url.search,
        method: request.method ?? 'GET',
        headers: headersOf(request),
        body: source ?? (request.body as Buffer | undefined) ?? null,
        reset: true,
        signal: deadline.signal,
      });
      sent.head = {
        status: response.statusCode,
        headers: joinHeaders(response.headers),
        conceal: concealing(request.headers?.['authorization']),
      };
      return { ...sent.head, body: await readBody(response.body, request) };
    } catch (error) {
      throw failureOf(error, { deadline, sourceError, ...sent });
    } finally {
      deadline.end();
      source?.destroy();
      await client?.destroy().catch(() => undefined);
    }
  }

  private parse(text: string): URL {
    const url = URL.canParse(text) ? new URL(text) : null;
    const reason = url === null ? 'The URL is not valid.' : refusalOfUrl(url, this.options);
    if (url === null || reason !== null) throw new OutboundError('address_refused', { reason: reason! });
    return url;
  }

  /** All addresses of the host. The host is rejected if any of them is not allowed. */
  private async resolve({ hostname }: URL, deadline: Deadline): Promise<LookupAddress[]> {
    const literal = literalAddress(hostname);
    const addresses =
      literal === null
        ? await this.lookUp(hostname, deadline)
        : [{ address: literal, family: literal.includes(':') ? 6 : 4 }];
    if (!this.options.allowPrivate && !addresses.every(({ address }) => isPublicAddress(address))) {
      throw new OutboundError('address_refused', { reason: 'The host is not on the public internet.' });
    }
    return addresses;
  }

  private async lookUp(hostname: string, deadline: Deadline): Promise<LookupAddress[]> {
    const lookup = this.options.lookup ?? ((name) => dnsLookup(name, { all: true }));
    let addresses: LookupAddress[];
    try {
      addresses = await beforeDeadline(lookup(hostname), deadline);
    } catch (cause) {
      if (deadline.signal.aborted)
        throw new OutboundError(deadline.timedOut() ? 'timeout' : 'aborted', { cause });
      throw new OutboundError('dns_failed', { cause });
    }
    if (addresses.length === 0) throw new OutboundError('dns_failed');
    return addresses;
  }

  private open(
    url: URL,
    request: OutboundRequest,
    addresses: readonly LookupAddress[],
    onConnect: (socket: Socket) => void,
  ): Client {
    const connect = (this.options.connector ?? buildConnector)({
      timeout: CONNECT_TIMEOUT_MS,
      lookup: pinned(addresses),
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: ATTEMPT_TIMEOUT_MS,
      // Not reused: the next request may be for another client.
      maxCachedSessions: 0,
    });
    return new Client(url.origin, {
      headersTimeout: request.headersTimeoutMs ?? HEADERS_TIMEOUT_MS,
      bodyTimeout: request.bodyTimeoutMs ?? BODY_TIMEOUT_MS,
      connect: (options, callback) =>
        connect(options, (error, socket) => {
          if (error) return callback(error, null);
          const refusal = this.refusalOfSocket(socket, addresses);
          if (refusal) {
            socket.destroy();
            return callback(refusal, null);
          }
          onConnect(socket);
          callback(null, socket);
        }),
    });
  }

  /** Nothing is ever sent to an address that was not checked. */
  private refusalOfSocket(socket: Socket, checked: readonly LookupAddress[]): OutboundError | null {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined) return new OutboundError('connect_failed');
    const remote = normalizeAddress(remoteAddress);
    const isChecked = checked.some(({ address }) => normalizeAddress(address) === remote);
    if (isChecked && (this.options.allowPrivate || isPublicAddress(remote))) return null;
    return new OutboundError('address_refused', { reason: 'The host is not on the public internet.' });
  }
}

/** For a socket: the checked addresses, whatever the name resolves to by now. */
function pinned(addresses: readonly LookupAddress[]): LookupFunction {
  return (_hostname, { all }, callback) => {
    if (all) callback(null, [...addresses]);
    else callback(null, addresses[0]!.address, addresses[0]!.family);
  };
}

function headersOf({ headers, body }: OutboundRequest): Record<string, string> {
  return {
    // undici does not decompress.
    'accept-encoding': 'identity',
    'user-agent': 'client-asset-library',
    ...headers,
    ...(body && 'stream' in body ? { 'content-length': String(body.bytes) } : null),
  };
}

function joinHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
}

async function readBody(
  body: AsyncIterable<Buffer>,
  { maxBodyBytes = MAX_BODY_BYTES, cutBody = false }: OutboundRequest,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxBodyBytes && !cutBody) throw new OutboundError('response_too_large');
    chunks.push(chunk);
    if (bytes > maxBodyBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, maxBodyBytes);
}

interface Attempt {
  readonly deadline: Deadline;
  readonly sourceError: Error | null;
  readonly connected: boolean;
  readonly head: OutboundHead | null;
}

function failureOf(error: unknown, { deadline, sourceError, connected, head }: Attempt): OutboundError {
  const options = { ambiguous: connected, response: head };
  if (error instanceof OutboundError)
    return new OutboundError(error.code, { ...options, reason: error.message, cause: error.cause });
  if (sourceError !== null) return new OutboundError('body_failed', { ...options, cause: sourceError });
  if (deadline.signal.aborted)
    return new OutboundError(deadline.timedOut() ? 'timeout' : 'aborted', { ...options, cause: error });
  return new OutboundError(codeOfFailure(error, connected), { ...options, cause: error });
}

function startDeadline({ signal, totalTimeoutMs = TOTAL_TIMEOUT_MS }: OutboundRequest): Deadline {
  const controller = new AbortController();
  let timedOut = false;
  const expireNow = () => {
    if (!controller.signal.aborted) timedOut = true;
    controller.abort();
  };
  const timers = [setTimeout(expireNow, totalTimeoutMs)];
  const abort = () => {
    timedOut = (signal?.reason as Error | undefined)?.name === 'TimeoutError';
    controller.abort();
  };
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    timedOut: () => timedOut,
    expire: (afterMs = 0) => {
      timers.push(setTimeout(expireNow, afterMs));
    },
    end: () => {
      for (const timer of timers) clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    },
  };
}

/** Name resolution cannot be cancelled, but the caller need not wait for it. */
async function beforeDeadline<T>(work: Promise<T>, { signal }: Deadline): Promise<T> {
  work.catch(() => undefined);
  let fail: () => void = () => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    fail = () => reject(new Error('aborted'));
  });
  aborted.catch(() => undefined);
  if (signal.aborted) fail();
  signal.addEventListener('abort', fail, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', fail);
  }
}
