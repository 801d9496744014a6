/** A worker thread: requests each path repeatedly until it is told to stop, then counts the responses by status. */
import { parentPort, workerData } from 'node:worker_threads';

const { url, key, paths } = workerData;
const answers = {};
let stopped = false;
parentPort.once('message', () => (stopped = true));

await Promise.all(
  paths.map(async (path) => {
    while (!stopped) {
      const answer = await fetch(url + path, { headers: { authorization: `Bearer ${key}` } });
      await answer.arrayBuffer();
      answers[answer.status] = (answers[answer.status] ?? 0) + 1;
    }
  }),
);
parentPort.postMessage(answers);
