import { writeFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { ChildMessage, DecodedFrame, FrameRequest, Job, JobReply, ParentMessage } from '../protocol.js';
import { SourceError } from './byte-source.js';
import type { WatchdogData } from './watchdog.js';
import { work } from './work.js';

/** A child process of `DecoderPool`: receives jobs over IPC, one at a time, and exits with its parent. */
function send(message: ChildMessage): void {
  if (process.connected) process.send?.(message);
}

// Also after a kill -9 of the parent. While the decoder blocks this thread, the watchdog does it.
process.on('disconnect', () => process.exit(0));

try {
  // If the machine runs out of memory, the kernel kills this process rather than the service.
  writeFileSync('/proc/self/oom_score_adj', '1000');
} catch {
  // Linux only.
}

const isWorking = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
const watched: WatchdogData = {
  memoryLimitBytes: Number(process.argv[2]),
  parent: process.ppid,
  isWorking,
};
new Worker(new URL('./watchdog.js', import.meta.url), { workerData: watched }).unref();

function setWorking(value: boolean): void {
  Atomics.store(isWorking, 0, Number(value));
  Atomics.notify(isWorking, 0);
}

/** A job reads one range at a time. */
let onBytes: (bytes: Uint8Array | null) => void = () => undefined;

function read(start: number, end: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    onBytes = (bytes) => {
      if (bytes === null) reject(new SourceError('the file could not be read'));
      else resolve(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    };
    send({ kind: 'read', start, end });
  });
}

/** And one frame. */
let onFrame: (frame: DecodedFrame | null) => void = () => undefined;

function decodeFrame(request: FrameRequest): Promise<DecodedFrame | null> {
  return new Promise((resolve) => {
    onFrame = resolve;
    send(request);
  });
}

async function runWatched(job: Job): Promise<JobReply> {
  setWorking(true);
  try {
    return await work(job, { read, decodeFrame });
  } finally {
    setWorking(false);
  }
}

process.on('message', (message: ParentMessage) => {
  if (message.kind === 'bytes') onBytes(message.bytes);
  else if (message.kind === 'frame') onFrame(message.frame);
  else void runWatched(message).then(send);
});

send({ kind: 'ready' });
