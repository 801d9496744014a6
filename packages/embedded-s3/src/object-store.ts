import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Disk } from './disk/disk.js';
import { handleRequest } from './request-handler.js';

export interface ObjectStoreOptions {
  directory: string;
  host: string;
  /** 0 means any free port. */
  port: number;
  accessKeyId: string;
  secretAccessKey: string;
}

export interface RunningObjectStore {
  /** As `http://host:port`. */
  endpoint: string;
  port: number;
  /** Gives running requests a moment to finish, then aborts them. Resolves when nothing is written any more. */
  close(): Promise<void>;
}

const IDLE_MS = 120_000;
const KEEP_ALIVE_MS = 65_000;
const CLOSE_GRACE_MS = 3_000;
const CLOSE_POLL_MS = 20;

/** Starts a store that implements the part of S3 that this project uses and keeps its objects in a directory. */
export async function startObjectStore(options: ObjectStoreOptions): Promise<RunningObjectStore> {
  const disk = new Disk(options.directory);
  const running = new Set<Promise<void>>();

  const server = createServer((message, response) => {
    const request = opened
      .then(() => handleRequest(disk, options, message, response))
      .catch(() => void response.destroy())
      .finally(() => running.delete(request));
    running.add(request);
  });
  // The handler sends "continue" itself, once it knows that it needs the body.
  server.on('checkContinue', (message, response) => server.emit('request', message, response));
  // A large upload over a slow connection may take any time, as long as data keeps arriving.
  server.requestTimeout = 0;
  server.timeout = IDLE_MS;
  server.keepAliveTimeout = KEEP_ALIVE_MS;

  // The port is bound first, so that an accidental second start fails before it touches the files of the running store.
  server.listen(options.port, options.host);
  const opened = once(server, 'listening').then(() => disk.open());
  const close = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    // Repeatedly, because a connection that is still sending its last response becomes idle only afterwards.
    const idle = setInterval(() => server.closeIdleConnections(), CLOSE_POLL_MS);
    const grace = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
    await closed;
    clearInterval(idle);
    clearTimeout(grace);
    await Promise.allSettled(running);
  };
  try {
    await opened;
  } catch (error) {
    if (server.listening) await close();
    throw error;
  }
  const { port } = server.address() as AddressInfo;
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  return { endpoint: `http://${host}:${port}`, port, close };
}
