import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/**
 * - `pass`: forwards everything.
 * - `refuse`: rejects new connections; open ones are cut.
 * - `cut`: open connections are cut, new ones are accepted and cut as soon as the other side has sent `cutAfterBytes`.
 * - `hang`: connections stay open, but nothing is forwarded until the mode changes.
 */
export type ProxyMode = 'pass' | 'refuse' | 'cut' | 'hang';

/** A proxy between the service and its database or object store that simulates network failures. */
export class TcpProxy {
  private mode: ProxyMode = 'pass';
  private cutAfterBytes = 0;
  private server: Server | null = null;
  private readonly links = new Set<Link>();
  port = 0;

  private constructor(private readonly target: { host: string; port: number }) {}

  /** Forwards to the host and port of the address. */
  static async to(url: string): Promise<TcpProxy> {
    const { hostname, port, protocol } = new URL(url);
    const proxy = new TcpProxy({ host: hostname, port: Number(port) || (protocol === 'https:' ? 443 : 80) });
    await proxy.listen();
    return proxy;
  }

  /** The same address through this proxy. */
  via(url: string): string {
    const through = new URL(url);
    through.hostname = '127.0.0.1';
    through.port = String(this.port);
    return through.toString();
  }

  get connections(): number {
    return this.links.size;
  }

  async set(mode: ProxyMode, options: { cutAfterBytes?: number } = {}): Promise<void> {
    this.mode = mode;
    this.cutAfterBytes = options.cutAfterBytes ?? 0;
    if (mode === 'refuse') await this.stopListening();
    else await this.listen();
    for (const link of this.links) {
      if (mode === 'refuse' || mode === 'cut') link.cut();
      else if (mode === 'hang') link.hold();
      else link.flow();
    }
  }

  async close(): Promise<void> {
    // Not reset, because Node 20 may then loop forever on its own side.
    for (const link of this.links) link.end();
    await this.set('refuse');
  }

  private async listen(): Promise<void> {
    if (this.server) return;
    this.server = createServer((socket) => this.accept(socket));
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
    this.port = (this.server.address() as { port: number }).port;
  }

  private async stopListening(): Promise<void> {
    const { server } = this;
    if (!server) return;
    this.server = null;
    for (const link of this.links) link.cut();
    server.close();
    await once(server, 'close');
  }

  private accept(socket: Socket): void {
    const link = new Link(socket, connect(this.target), () => this.links.delete(link));
    this.links.add(link);
    if (this.mode === 'cut') link.cutAfter(this.cutAfterBytes);
    if (this.mode === 'hang') link.hold();
  }
}

/** One connection: the caller's socket and the one to the target. */
class Link {
  private held = false;
  private remaining = Infinity;

  constructor(
    private readonly near: Socket,
    private readonly far: Socket,
    private readonly onEnd: () => void,
  ) {
    this.forward(near, far);
    this.forward(far, near);
  }

  /** A reset, as when a host disappears, not an orderly close. */
  cut(): void {
    this.near.resetAndDestroy();
    this.far.destroy();
    this.onEnd();
  }

  end(): void {
    this.near.destroy();
    this.far.destroy();
    this.onEnd();
  }

  cutAfter(bytes: number): void {
    this.remaining = bytes;
    if (bytes === 0) this.cut();
  }

  hold(): void {
    this.held = true;
    this.near.pause();
    this.far.pause();
  }

  flow(): void {
    this.held = false;
    this.near.resume();
    this.far.resume();
  }

  private forward(from: Socket, to: Socket): void {
    from.on('data', (chunk: Buffer) => {
      if (from === this.far) {
        const rest = this.remaining - chunk.length;
        if (rest <= 0) {
          to.write(chunk.subarray(0, this.remaining), () => this.cut());
          from.pause();
          return;
        }
        this.remaining = rest;
      }
      if (!to.write(chunk)) from.pause();
    });
    to.on('drain', () => {
      if (!this.held) from.resume();
    });
    from.on('end', () => to.end());
    from.on('error', () => this.cut());
    from.on('close', () => {
      to.destroy();
      this.onEnd();
    });
  }
}
