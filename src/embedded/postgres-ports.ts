import { createServer } from 'node:net';
import { hasCode } from './directory-lock.js';
import { StartError } from './start-error.js';

export const HOST = '127.0.0.1';

export class PortTaken extends StartError {
  constructor(port: number) {
    super(
      `Port ${port} on ${HOST} is already taken, so the embedded database cannot use it. ` +
        'Stop the program that uses it, or set EMBEDDED_DB_PORT to another port (or leave it out for any free one).',
    );
  }
}

export async function isFree(port: number): Promise<boolean> {
  return (await listenOnce(port)) !== undefined;
}

export async function freePort(): Promise<number> {
  const port = await listenOnce(0);
  if (port === undefined) throw new StartError(`No port on ${HOST} is free for the embedded database.`);
  return port;
}

/** The port listened on for a moment, or undefined when it is taken. */
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
