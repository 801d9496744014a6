import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { Client } from 'pg';

/**
 * - `session`: each client has a server connection of its own.
 * - `transaction`: it gets any free one for each transaction.
 * - `statement`: for each statement; it is disconnected if it begins a transaction.
 */
export type PoolMode = 'session' | 'transaction' | 'statement';

/** The parameters that PgBouncer accepts at the start of a connection. */
const ACCEPTED =
  /^(user|database|client_encoding|DateStyle|TimeZone|standard_conforming_strings|application_name)$/i;
const MAX_SERVERS = 2;
const AUTHENTICATED = message('R', '\0\0\0\0');
const READY = message('Z', 'I');

/** Between the service and Postgres: what PgBouncer, with its default settings, refuses and does not keep. */
export class Pooler {
  private readonly sockets = new Set<Socket>();
  private readonly idle: Socket[] = [];
  private readonly waiting: ((server: Socket) => void)[] = [];
  private servers = 0;

  private constructor(
    private readonly server: Server,
    private readonly databaseUrl: string,
    private readonly mode: PoolMode,
  ) {}

  static async to(databaseUrl: string, mode: PoolMode): Promise<Pooler> {
    const server = createServer();
    const pooler = new Pooler(server, databaseUrl, mode);
    server.on('connection', (client: Socket) => {
      pooler.watch(client);
      client.once('data', (startup: Buffer) => pooler.accept(client, startup));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return pooler;
  }

  get url(): string {
    const url = new URL(this.databaseUrl);
    url.hostname = '127.0.0.1';
    url.port = String((this.server.address() as { port: number }).port);
    return url.toString();
  }

  async close(): Promise<void> {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await once(this.server, 'close');
  }

  private watch(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => this.sockets.delete(socket));
  }

  private accept(client: Socket, startup: Buffer): void {
    const [refused] = parametersOf(startup).filter((name) => !ACCEPTED.test(name));
    if (refused !== undefined) {
      refuse(client, `unsupported startup parameter: ${refused}`);
    } else if (this.mode === 'session') this.keep(client, startup);
    else this.share(client);
  }

  private keep(client: Socket, startup: Buffer): void {
    const { hostname, port } = new URL(this.databaseUrl);
    const server = connect({ host: hostname, port: Number(port) });
    this.watch(server);
    server.write(startup);
    client.pipe(server).pipe(client);
    client.on('close', () => server.destroy());
    server.on('close', () => client.destroy());
  }

  private share(client: Socket): void {
    let server: Promise<Socket> | null = null;
    const onResponse = (type: string, bytes: Buffer) => {
      const isIdle = bytes.at(-1) === READY.at(-1);
      if (type === 'Z' && !isIdle && this.mode === 'statement')
        return refuse(client, 'transaction blocks not allowed in statement pooling mode');
      client.write(bytes);
      if (type !== 'Z' || !isIdle) return;
      void server?.then((free) => this.release(free));
      server = null;
    };
    client.write(Buffer.concat([AUTHENTICATED, READY]));
    readMessages(client, (type, bytes) => {
      if (type === 'X') return;
      server ??= this.acquire(onResponse);
      void server.then((taken) => taken.write(bytes));
    });
  }

  /** The one that was used last, as PgBouncer does. */
  private async acquire(onResponse: (type: string, bytes: Buffer) => void): Promise<Socket> {
    const server = this.idle.pop() ?? (await this.open());
    server.removeAllListeners('data');
    readMessages(server, onResponse);
    return server;
  }

  private release(server: Socket): void {
    const next = this.waiting.shift();
    if (next) next(server);
    else this.idle.push(server);
  }

  private async open(): Promise<Socket> {
    if (this.servers === MAX_SERVERS) return new Promise((resolve) => this.waiting.push(resolve));
    this.servers++;
    const login = new Client({ connectionString: this.databaseUrl });
    login.on('error', () => undefined);
    await login.connect();
    const { stream } = (login as unknown as { connection: { stream: Socket } }).connection;
    this.watch(stream);
    return stream;
  }
}

function refuse(client: Socket, reason: string): void {
  client.end(message('E', `SFATAL\0C08P01\0M${reason}\0\0`));
}

/** A message of Postgres's protocol: type, length, body. */
function message(type: string, body: string): Buffer {
  const head = Buffer.alloc(5);
  head.write(type, 'latin1');
  head.writeUInt32BE(4 + Buffer.byteLength(body, 'latin1'), 1);
  return Buffer.concat([head, Buffer.from(body, 'latin1')]);
}

/** The names in a startup message: length, version, then pairs of names and values. */
function parametersOf(startup: Buffer): string[] {
  const texts = startup.toString('utf8', 8, startup.readUInt32BE(0)).split('\0');
  return texts.filter((text, index) => index % 2 === 0 && text !== '');
}

function readMessages(socket: Socket, onMessage: (type: string, bytes: Buffer) => void): void {
  let rest = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
      const bytes = rest.subarray(0, 1 + rest.readUInt32BE(1));
      rest = rest.subarray(bytes.length);
      onMessage(bytes.toString('latin1', 0, 1), bytes);
    }
  });
}
