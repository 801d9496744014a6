/** A worker thread: requests each path repeatedly until it is told to stop, then counts the responses by status. */
import { parentPort, workerData } from 'node:worker_threads';

const { url, key, paths } = workerData;
const responses = {};
let stopped = false;
parentPort.once('message', () => (stopped = true));

await Promise.all(
  paths.map(async (path) => {
    while (!stopped) {
      const response = await fetch(url + path, { headers: { authorization: `Bearer ${key}` } });
      await response.arrayBuffer();
      responses[response.status] = (responses[response.status] ?? 0) + 1;
    }
  }),
);
parentPort.postMessage(responses);
