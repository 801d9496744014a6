import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { Pool } from 'pg';
import { BoundedClient } from './bounded-client.js';

/** A message of Postgres's protocol: type, length, body. */
function message(type: string, body: string): Buffer {
  const head = Buffer.alloc(5);
  head.write(type, 'latin1');
  head.writeUInt32BE(4 + Buffer.byteLength(body, 'latin1'), 1);
  return Buffer.concat([head, Buffer.from(body, 'latin1')]);
}

const AUTHENTICATED = message('R', '\0\0\0\0');
const READY = message('Z', 'I');
const SHUT_DOWN = message('E', 'SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0');

describe('a connection that the server closes at the moment it is ready', () => {
  let server: Server;

  beforeAll(async () => {
    // All in one packet, so that the error follows before the caller of `connect` can listen for it.
    server = createServer((socket) => {
      socket.once('data', () => socket.end(Buffer.concat([AUTHENTICATED, READY, SHUT_DOWN])));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => server.close());

  it('fails the first query instead of ending the process', async () => {
    const { port } = server.address() as AddressInfo;
    const pool = new Pool({ host: '127.0.0.1', port, user: 'any', password: 'any', Client: BoundedClient });
    const client = await pool.connect();
    try {
      await expect(client.query('SELECT 1')).rejects.toThrow(/not queryable|terminated/);
    } finally {
      client.release();
      await pool.end();
    }
    expect(pool.totalCount).toBe(0);
  });
});
