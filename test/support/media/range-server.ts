import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A tiny object store: serves range requests for one file, or misbehaves on request. */
export class RangeServer {
  requests = 0;
  bytesSent = 0;
  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(
    bytes: Buffer,
    misbehave?: (attempt: number) => Handler | undefined,
  ): Promise<RangeServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const self = new RangeServer(
      server,
      `http://127.0.0.1:${(server.address() as AddressInfo).port}/object?signature=1`,
    );
    server.on('request', (request, response) => {
      self.requests += 1;
      (misbehave?.(self.requests) ?? self.serve(bytes))(request, response);
    });
    return self;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private serve(bytes: Buffer): Handler {
    return (request, response) => {
      const [, from = '', to = ''] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
      const part = bytes.subarray(Number(from), Number(to) + 1);
      if (from === '' || part.length === 0) {
        response.writeHead(from === '' ? 400 : 416).end();
        return;
      }
      this.bytesSent += part.length;
      const range = `bytes ${from}-${Number(from) + part.length - 1}/${bytes.length}`;
      response.writeHead(206, { 'content-length': part.length, 'content-range': range }).end(part);
    };
  }
}
