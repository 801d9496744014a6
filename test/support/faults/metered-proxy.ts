import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** Forwards everything and counts the response bytes: how much is read from the object store, and whether reading continues. */
export class MeteredProxy {
  received = 0;
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {}

  static async to(url: string): Promise<MeteredProxy> {
    const { hostname, port } = new URL(url);
    const server = createServer();
    const proxy = new MeteredProxy(server);
    server.on('connection', (near) => {
      const far = connect({ host: hostname, port: Number(port) });
      far.on('data', (chunk) => (proxy.received += chunk.length));
      near.pipe(far).pipe(near);
      for (const [socket, other] of [
        [near, far],
        [far, near],
      ] as const) {
        proxy.sockets.add(socket);
        socket.on('error', () => undefined);
        socket.on('close', () => {
          proxy.sockets.delete(socket);
          other.destroy();
        });
      }
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  via(url: string): string {
    const through = new URL(url);
    through.hostname = '127.0.0.1';
    through.port = String((this.server.address() as { port: number }).port);
    return through.toString();
  }

  close(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }
}
