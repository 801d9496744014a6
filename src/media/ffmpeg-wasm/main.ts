/**
 * FFmpeg as a separate program, for machines on which it is not installed.
 *
 * `@ffmpeg/core` is FFmpeg, built as WebAssembly with parts under the GNU General Public License, version 2 or later. This program,
 * which loads it, is therefore offered under the same terms: you can redistribute it and/or modify it under the GNU General Public
 * License as published by the Free Software Foundation, either version 2 of the License, or (at your option) any later version. It
 * comes without any warranty; see https://www.gnu.org/licenses/old-licenses/gpl-2.0.html. The rest of this repository is not part of
 * it: it runs this program in a separate process, as it would run an installed `ffmpeg`, and this file imports none of its code.
 *
 * Sends `ready` over IPC once ffmpeg is loaded. Reads messages `{ args, input }`, one at a time: an ffmpeg command line, and the bytes
 * of the file `/input`. Responds with `{ output, log, rss }`: the bytes that ffmpeg wrote to `/output` or null, its log, and the memory of
 * this process.
 */
import type { FfmpegCore } from '@ffmpeg/core';
import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { isMainThread, Worker, workerData } from 'node:worker_threads';

const MAX_LOG_LENGTH = 100_000;
const WORKING_INTERVAL_MS = 50;
const IDLE_INTERVAL_MS = 1_000;

/** Only the types of the DOM declare it, and a server does not use them. */
const { WebAssembly } = globalThis as unknown as {
  WebAssembly: {
    compile(bytes: Uint8Array): Promise<object>;
    instantiate(module: object, imports: object): Promise<object>;
  };
};

interface WatchdogData {
  memoryLimitBytes: number;
  parent: number;
  /** 1 during a command, otherwise 0. */
  isWorking: Int32Array;
}

interface Command {
  args: string[];
  input: Uint8Array;
}

if (isMainThread) await serve();
else watch();

async function serve(): Promise<void> {
  process.on('disconnect', () => process.exit(0));
  try {
    // If the machine runs out of memory, the kernel kills this process first.
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
  new Worker(new URL(import.meta.url), { workerData: watched }).unref();
  const setWorking = (value: boolean) => {
    Atomics.store(isWorking, 0, Number(value));
    Atomics.notify(isWorking, 0);
  };
  const startFfmpeg = await load();
  process.on('message', (command: Command) => {
    setWorking(true);
    void startFfmpeg().then((core) => {
      const result = run(core, command);
      setWorking(false);
      if (process.connected) process.send?.({ ...result, rss: process.memoryUsage.rss() });
    });
  });
  process.send?.('ready');
}

/** Runs in a separate thread, because WebAssembly can block the main thread indefinitely. */
function watch(): void {
  const { memoryLimitBytes, parent, isWorking } = workerData as WatchdogData;
  for (;;) {
    // This signal tells the parent that the memory limit was exceeded.
    if (process.memoryUsage.rss() > memoryLimitBytes) process.kill(process.pid, 'SIGUSR2');
    if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
    const state = Atomics.load(isWorking, 0);
    Atomics.wait(isWorking, 0, state, state === 1 ? WORKING_INTERVAL_MS : IDLE_INTERVAL_MS);
  }
}

/**
 * Compiles FFmpeg once. Each command gets a new instance, because FFmpeg keeps global state, and no data of one file
 * may leak into another.
 */
async function load(): Promise<() => Promise<FfmpegCore>> {
  // The core is written for browser workers and reads the address it was loaded from.
  Object.assign(globalThis, { self: { location: { href: '' } } });
  // Otherwise all of FFmpeg is validated first, which takes a quarter of the time until the first frame.
  setFlagsFromString('--wasm-lazy-validation');
  // Optimizing a function earlier takes longer than it saves on the single frame of most commands.
  setFlagsFromString('--wasm-tiering-budget=200000000');
  const { default: createCore } = await import('@ffmpeg/core');
  const module = await WebAssembly.compile(
    await readFile(fileURLToPath(import.meta.resolve('@ffmpeg/core/wasm'))),
  );
  return () =>
    createCore({
      instantiateWasm(imports, done) {
        void WebAssembly.instantiate(module, imports).then(done);
        return {};
      },
    });
}

function run(core: FfmpegCore, { args, input }: Command): { output: Uint8Array | null; log: string } {
  let log = '';
  core.setLogger(({ message }) => {
    if (log.length < MAX_LOG_LENGTH) log += `${message}\n`;
  });
  try {
    core.FS.writeFile('/input', input);
    core.exec(...args);
    return { output: core.FS.analyzePath('/output').exists ? core.FS.readFile('/output') : null, log };
  } catch (error) {
    // A damaged file can make WebAssembly trap.
    return { output: null, log: `${log}${String(error)}\n` };
  }
}
