import { EventEmitter, once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import { OutboundClient, type OutboundOptions } from './outbound-client.js';
import { OutboundError } from './outbound-error.js';

const ANY_PACE = { minBytesPerSecond: 0, maxSeconds: 60 };
const PUBLIC = [{ address: '93.184.215.14', family: 4 }];

/** Notations of loopback, private, link-local and metadata addresses. */
const PRIVATE_SPELLINGS = [
  'http://127.0.0.1/',
  'http://127.1/',
  'http://127.0.1/',
  'http://0x7f.1/',
  'http://0x7f000001/',
  'http://0177.0.0.1/',
  'http://017700000001/',
  'http://2130706433/',
  'http://127%2e0%2e0%2e1/',
  'http://①②⑦.⓪.⓪.①/',
  'http://127。0。0。1/',
  'http://0/',
  'http://0.0.0.0/',
  'http://[::]/',
  'http://[::1]/',
  'http://[0:0:0:0:0:0:0:1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[::127.0.0.1]/',
  'http://[::7f00:1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[64:ff9b:1::7f00:1]/',
  'http://[2002:7f00:1::]/',
  'http://[2001:0:7f00:1::1]/',
  'http://[fe80::1]/',
  'http://[fd00:ec2::254]/',
  'http://[fc00::1]/',
  'http://10.0.0.1/',
  'http://172.16.0.1/',
  'http://192.168.1.1/',
  'http://100.64.0.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://0xa9fea9fe/',
  'http://[::ffff:a9fe:a9fe]/',
  'http://168.63.129.16/',
  'http://192.0.0.192/',
  'http://localhost/',
  'http://localhost./',
  'http://foo.localhost/',
  'http://LocalHost:8080/',
];

/** Records connections instead of opening them. */
function recordingClient(options: Partial<OutboundOptions> & { remoteAddress?: string } = {}) {
  const dialled: string[] = [];
  const lookups: string[] = [];
  const sockets: { destroyed: boolean; written: unknown[] }[] = [];
  const client = new OutboundClient({
    allowPrivate: false,
    uploads: ANY_PACE,
    ...options,
    lookup: (hostname) => {
      lookups.push(hostname);
      return options.lookup ? options.lookup(hostname) : Promise.resolve(PUBLIC);
    },
    connector: (settings) => (target, callback) => {
      // Resolves like net.connect: with the function it was given.
      (settings as { lookup: LookupFunction }).lookup(target.hostname, { all: true }, (_error, addresses) => {
        dialled.push(...(addresses as { address: string }[]).map(({ address }) => address));
        if (options.remoteAddress === undefined) return callback(new Error('not dialled'), null);
        const socket = Object.assign(new EventEmitter(), {
          remoteAddress: options.remoteAddress,
          destroyed: false,
          written: [] as unknown[],
          write: (data: unknown) => socket.written.push(data),
          destroy: () => (socket.destroyed = true),
        });
        sockets.push(socket);
        callback(null, socket as never);
      });
    },
  });
  return { client, dialled, lookups, sockets };
}

const failureOf = async (request: Promise<unknown>): Promise<OutboundError> => {
  const error: unknown = await request.then(
    () => new Error('The request succeeded.'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof OutboundError)) throw error;
  return error;
};

describe('Addresses that are not public', () => {
  it.each(PRIVATE_SPELLINGS)('%s is rejected before any lookup or connection', async (url) => {
    const { client, dialled, lookups } = recordingClient();
    expect(await failureOf(client.request({ url }))).toMatchObject({
      code: 'address_refused',
      ambiguous: false,
    });
    expect(await failureOf(client.check(url))).toMatchObject({ code: 'address_refused' });
    expect([...dialled, ...lookups]).toEqual([]);
  });

  it.each([
    '127.0.0.1',
    '10.0.0.1',
    '169.254.169.254',
    '168.63.129.16',
    '::1',
    '::ffff:127.0.0.1',
    '::7f00:1',
    'fd00:ec2::254',
    '64:ff9b::a9fe:a9fe',
  ])('a name that resolves to %s is rejected before connecting, also among public ones', async (address) => {
    for (const found of [[{ address, family: 4 }], [...PUBLIC, { address, family: 4 }]]) {
      const { client, dialled } = recordingClient({ lookup: () => Promise.resolve(found) });
      const error = await failureOf(client.request({ url: 'https://intranet.example/' }));
      expect(error).toMatchObject({ code: 'address_refused', ambiguous: false });
      expect(dialled).toEqual([]);
    }
  });

  it('a name that changes between the check and the connection is resolved once; only checked addresses are used', async () => {
    const responses = [PUBLIC, [{ address: '127.0.0.1', family: 4 }]];
    const { client, dialled, lookups } = recordingClient({
      lookup: () => Promise.resolve(responses.shift()!),
    });
    await failureOf(client.request({ url: 'http://rebind.example/' }));
    expect(lookups).toEqual(['rebind.example']);
    expect(dialled).toEqual(['93.184.215.14']);
    expect(await failureOf(client.request({ url: 'http://rebind.example/' }))).toMatchObject({
      code: 'address_refused',
    });
    expect(dialled).toEqual(['93.184.215.14']);
  });

  it.each(['127.0.0.1', '::ffff:127.0.0.1', '169.254.169.254', '8.8.8.8'])(
    'a socket connected to %s gets no byte',
    async (remoteAddress) => {
      const { client, sockets } = recordingClient({ remoteAddress });
      const error = await failureOf(client.request({ url: 'http://rebind.example/' }));
      expect(error).toMatchObject({ code: 'address_refused', ambiguous: false });
      expect(sockets).toMatchObject([{ destroyed: true, written: [] }]);
    },
  );

  it('names that cannot be resolved fail without connecting', async () => {
    for (const lookup of [() => Promise.reject(new Error('ENOTFOUND')), () => Promise.resolve([])]) {
      const { client, dialled } = recordingClient({ lookup });
      expect(await failureOf(client.request({ url: 'http://gone.example/' }))).toMatchObject({
        code: 'dns_failed',
        ambiguous: false,
      });
      expect(dialled).toEqual([]);
    }
  });

  it('does not wait for a lookup that never ends', async () => {
    const { client } = recordingClient({ lookup: () => new Promise(() => undefined) });
    const url = 'http://slow.example/';
    expect(await failureOf(client.request({ url, totalTimeoutMs: 5 }))).toMatchObject({ code: 'timeout' });
    expect(await failureOf(client.request({ url, signal: AbortSignal.abort() }))).toMatchObject({
      code: 'aborted',
    });
  });
});

describe('Requests', () => {
  const client = new OutboundClient({ allowPrivate: true, uploads: ANY_PACE });
  let server: Server;
  let url: string;
  /** How the server handles the next request. */
  let handler: (
    request: import('node:http').IncomingMessage,
    response: import('node:http').ServerResponse,
  ) => void;

  beforeAll(async () => {
    server = createServer((request, response) => handler(request, response)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it('return status, headers and body, and follow no redirect', async () => {
    const seen: string[] = [];
    handler = (request, response) => {
      seen.push(`${request.method} ${request.url} ${request.headers['connection']}`);
      response.writeHead(302, { location: '/elsewhere', 'x-two': ['a', 'b'] }).end('moved');
    };
    const result = await client.request({ url: `${url}/a?b=c` });
    expect(result).toMatchObject({ status: 302, headers: { location: '/elsewhere', 'x-two': 'a, b' } });
    expect(result.body.toString()).toBe('moved');
    expect(seen).toEqual(['GET /a?b=c close']);
  });

  it('send buffers, and streams of a known length', async () => {
    handler = (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () =>
        response.end(`${request.headers['content-length']}:${Buffer.concat(chunks).toString()}`),
      );
    };
    const send = async (body: Parameters<typeof client.request>[0]['body']) =>
      (await client.request({ url, method: 'POST', body })).body.toString();
    expect(await send(Buffer.from('abc'))).toBe('3:abc');
    expect(await send({ stream: Readable.from([Buffer.from('ab'), Buffer.from('cd')]), bytes: 4 })).toBe(
      '4:abcd',
    );
  });

  it.each([
    ['is shorter than declared', () => Readable.from([Buffer.from('abc')])],
    [
      'fails',
      () =>
        new Readable({
          read() {
            this.destroy(new Error('The store is down.'));
          },
        }),
    ],
  ])('fail with body_failed when the stream %s', async (_what, makeStream) => {
    handler = (request, response) => {
      request.on('error', () => undefined).resume();
      request.on('end', () => response.end());
    };
    const stream = makeStream();
    const error = await failureOf(client.request({ url, method: 'PUT', body: { stream, bytes: 10 } }));
    expect(error).toMatchObject({ code: 'body_failed' });
    expect(stream.destroyed).toBe(true);
  });

  it('destroy the stream when the address is rejected', async () => {
    const stream = Readable.from([Buffer.from('abc')]);
    await failureOf(
      client.request({ url: 'http://127.0.0.1:25/', method: 'PUT', body: { stream, bytes: 3 } }),
    );
    expect(stream.destroyed).toBe(true);
  });

  it('limit the response: an error that still contains its head, or the first bytes', async () => {
    handler = (_request, response) => {
      response.writeHead(201, { 'x-wp-upload-attachment-id': '7' }).end('x'.repeat(2_000));
    };
    expect(await failureOf(client.request({ url, maxBodyBytes: 1_000 }))).toMatchObject({
      code: 'response_too_large',
      ambiguous: true,
      response: { status: 201, headers: { 'x-wp-upload-attachment-id': '7' } },
    });
    expect((await client.request({ url, maxBodyBytes: 1_000, cutBody: true })).body).toHaveLength(1_000);
    expect((await client.request({ url, maxBodyBytes: 2_000 })).body).toHaveLength(2_000);
  });

  it.each([
    ['headers that never arrive', { headersTimeoutMs: 50 }, () => undefined],
    [
      'a body that stops',
      { bodyTimeoutMs: 50 },
      (response: import('node:http').ServerResponse) =>
        response.writeHead(200, { 'content-length': 9 }).write('x'),
    ],
    ['the whole request', { totalTimeoutMs: 50 }, () => undefined],
  ])('time out: %s', async (_what, timeouts, respond) => {
    handler = (_request, response) => respond(response);
    expect(await failureOf(client.request({ url, ...timeouts }))).toMatchObject({
      code: 'timeout',
      ambiguous: true,
    });
  });

  describe('with a stream', () => {
    const BYTES = 40_000_000;
    const upload = (uploads: OutboundOptions['uploads'], makeStream = () => Readable.from(pages(BYTES))) =>
      new OutboundClient({ allowPrivate: true, uploads }).request({
        url,
        method: 'PUT',
        headersTimeoutMs: 400,
        body: { stream: makeStream(), bytes: BYTES },
      });
    function* pages(bytes: number) {
      for (let left = bytes; left > 0; left -= 50_000) yield Buffer.alloc(50_000);
    }
    const readSlowly: typeof handler = (request) => {
      const timer = setInterval(() => request.read(10_000), 20);
      request.once('close', () => clearInterval(timer));
    };
    const readAll: typeof handler = (request, response) => {
      request.resume().once('end', () => response.end());
    };

    it('time out when the server reads too slowly, although it never pauses', async () => {
      handler = readSlowly;
      const start = performance.now();
      expect(await failureOf(upload({ minBytesPerSecond: 5_000_000, maxSeconds: 60 }))).toMatchObject({
        code: 'timeout',
        ambiguous: true,
      });
      expect(performance.now() - start).toBeLessThan(5_000);
    });

    it('time out when the upload takes too long altogether', async () => {
      handler = readSlowly;
      expect(await failureOf(upload({ minBytesPerSecond: 0, maxSeconds: 1 }))).toMatchObject({
        code: 'timeout',
        ambiguous: true,
      });
    });

    it('do not blame the server for a slow source', async () => {
      handler = readAll;
      const slowly = async function* () {
        for (const page of pages(BYTES)) {
          yield page;
          if (Math.random() < 0.03) await new Promise((resolve) => setTimeout(resolve, 300));
        }
      };
      const response = await upload({ minBytesPerSecond: 20_000_000, maxSeconds: 60 }, () =>
        Readable.from(slowly()),
      );
      expect(response.status).toBe(200);
    });
  });

  it('are ambiguous when the connection is lost after it was established', async () => {
    handler = (request) => request.socket.destroy();
    expect(await failureOf(client.request({ url }))).toMatchObject({
      code: 'connection_lost',
      ambiguous: true,
    });
    handler = (_request, response) => {
      response.writeHead(200, { 'content-length': 10 }).write('half', () => response.socket!.destroy());
    };
    expect(await failureOf(client.request({ url }))).toMatchObject({
      code: 'connection_lost',
      ambiguous: true,
      response: { status: 200 },
    });
  });

  it('are ambiguous when the caller cancels them midway', async () => {
    const cancel = new AbortController();
    handler = () => cancel.abort();
    expect(await failureOf(client.request({ url, signal: cancel.signal }))).toMatchObject({
      code: 'aborted',
      ambiguous: true,
    });
  });

  it('name what is wrong with the server', async () => {
    const other = createTcpServer((socket) => {
      socket.on('error', () => undefined).resume();
      socket.end('SSH-2.0-server\r\n');
    })
      .listen(0, '127.0.0.1')
      .unref();
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    expect(await failureOf(client.request({ url: `http://127.0.0.1:${port}/` }))).toMatchObject({
      code: 'bad_response',
      ambiguous: true,
    });
    expect(await failureOf(client.request({ url: `https://127.0.0.1:${port}/` }))).toMatchObject({
      code: 'tls_failed',
      ambiguous: false,
    });
    other.close();
    await once(other, 'close');
    expect(await failureOf(client.request({ url: `http://127.0.0.1:${port}/` }))).toMatchObject({
      code: 'connect_failed',
      ambiguous: false,
    });
  });

  it('never put headers into their errors', async () => {
    handler = (request) => request.socket.destroy();
    const error = await failureOf(client.request({ url, headers: { authorization: 'Bearer very-secret' } }));
    expect(JSON.stringify([error, error.message, error.stack, error.cause])).not.toContain('very-secret');
  });
});
