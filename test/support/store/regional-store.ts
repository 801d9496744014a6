import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Rejects requests that were signed for a different region, as large providers do; the embedded store accepts any region. */
export class RegionalStore {
  private constructor(
    private readonly server: Server,
    readonly endpoint: string,
  ) {}

  static async start(region: string): Promise<RegionalStore> {
    const server = createServer((request, response) => {
      request.resume();
      const signedFor = /(?:X-Amz-Credential|Credential)=[^&,]+/.exec(
        `${decodeURIComponent(request.url ?? '')} ${request.headers.authorization ?? ''}`,
      )?.[0];
      if (signedFor?.split('/')[2] === region) return void response.end();
      const code = request.headers.authorization
        ? 'AuthorizationHeaderMalformed'
        : 'AuthorizationQueryParametersError';
      response.writeHead(400, { 'content-type': 'application/xml' });
      response.end(`<Error><Code>${code}</Code><Message>As told</Message><Region>${region}</Region></Error>`);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return new RegionalStore(server, `http://127.0.0.1:${port}`);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
