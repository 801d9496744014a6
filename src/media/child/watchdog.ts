import { workerData } from 'node:worker_threads';
import { OVER_MEMORY_SIGNAL } from '../protocol.js';

const WORKING_INTERVAL_MS = 50;
const IDLE_INTERVAL_MS = 1_000;

export interface WatchdogData {
  readonly memoryLimitBytes: number;
  readonly parent: number;
  /** 1 during a job, otherwise 0. */
  readonly isWorking: Int32Array;
}

/** Runs in a separate thread, because WASM can block the main thread indefinitely. */
const { memoryLimitBytes, parent, isWorking } = workerData as WatchdogData;

for (;;) {
  if (process.memoryUsage.rss() > memoryLimitBytes) process.kill(process.pid, OVER_MEMORY_SIGNAL);
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
  const state = Atomics.load(isWorking, 0);
  Atomics.wait(isWorking, 0, state, state === 1 ? WORKING_INTERVAL_MS : IDLE_INTERVAL_MS);
}
