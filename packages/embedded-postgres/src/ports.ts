import { createServer } from 'node:net';
import { hasCode } from './directory-lock.js';
import { PostgresStartError } from './start-error.js';

export const HOST = '127.0.0.1';

export function portTaken(port: number): PostgresStartError {
  return new PostgresStartError(
    'port_taken',
    `Port ${port} on ${HOST} is already taken, so Postgres cannot use it. ` +
      'Stop the program that uses it, or choose another port.',
  );
}

export async function isFree(port: number): Promise<boolean> {
  return (await listenOnce(port)) !== undefined;
}

export async function freePort(): Promise<number> {
  const port = await listenOnce(0);
  if (port === undefined)
    throw new PostgresStartError('port_taken', `No port on ${HOST} is free for Postgres.`);
  return port;
}

/** Listens on the port for a moment and returns it; undefined if it is taken. */
function listenOnce(port: number): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error) => (hasCode(error, 'EADDRINUSE') ? resolve(undefined) : reject(error)));
    server.listen({ port, host: HOST, exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' ? address?.port : undefined));
    });
  });
}
