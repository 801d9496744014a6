import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { ObjectStoreOptions, RunningObjectStore } from './object-store.js';
import type { ThreadMessage } from './thread-entry.js';

/** The same store in a separate thread, so that hashing a large upload does not block the API. */
export async function startObjectStoreThread(options: ObjectStoreOptions): Promise<RunningObjectStore> {
  const worker = new Worker(new URL('./thread-entry.js', import.meta.url), { workerData: options });
  const exited = new Promise((resolve) => worker.once('exit', resolve));
  const [message] = (await once(worker, 'message')) as [ThreadMessage];
  if ('error' in message) throw Object.assign(new Error(message.error.message), message.error);
  // No 'error' listener from here on: if the thread dies, the process must not continue without its storage.
  return {
    ...message,
    close: async () => {
      worker.postMessage('close');
      await exited;
    },
  };
}
