import { parentPort, workerData } from 'node:worker_threads';
import { type ObjectStoreOptions, startObjectStore } from './object-store.js';

/** The message of the thread to its parent: where the store listens, or why it does not. */
export type ThreadMessage = { port: number; endpoint: string } | { error: StartFailure };

/** An error as plain data, because a message between threads would drop its code and port. */
interface StartFailure {
  message: string;
  code?: string;
  /** The port that is in use. */
  port?: number;
}

const parent = parentPort!;

try {
  const store = await startObjectStore(workerData as ObjectStoreOptions);
  // Any message from the parent means close.
  parent.once('message', () => void store.close().then(() => parent.close()));
  parent.postMessage({ port: store.port, endpoint: store.endpoint } satisfies ThreadMessage);
} catch (error) {
  const { message, code, port } = error as StartFailure;
  parent.postMessage({ error: { message, code, port } } satisfies ThreadMessage);
  parent.close();
}
