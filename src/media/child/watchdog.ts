import { workerData } from 'node:worker_threads';
import { OVER_MEMORY_SIGNAL } from '../protocol.js';

/** Runs in a separate thread, because WASM can block the main thread indefinitely. */
const { memoryLimitBytes, parent } = workerData as { memoryLimitBytes: number; parent: number };

setInterval(() => {
  if (process.memoryUsage.rss() > memoryLimitBytes) process.kill(process.pid, OVER_MEMORY_SIGNAL);
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
}, 50);
