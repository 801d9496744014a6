import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { type Exit, type ExitReason, reasonOf, recordExit } from './decoder-exit.js';
import { forkConfined } from './fork-confined.js';
import { minimalEnv } from './minimal-env.js';
import { type MediaOptions, MediaUnavailableError } from './media.types.js';
import { CpuMeter } from './process-cpu.js';

const MAX_LOG_BYTES = 100_000;
/** Ends a command that never stops by itself if the service was killed and the kernel did not kill the command with it. */
const MAX_CPU_SECONDS = 120;
/** When the kernel kills a command that ignores SIGXCPU. Later, because the kernel would otherwise send SIGKILL immediately. */
const KILL_AFTER_CPU_SECONDS = 130;
const CPU_SAMPLE_MS = 250;

export interface FfmpegResult {
  /** Null if it wrote nothing. */
  output: Uint8Array | null;
  log: string;
}

/** The program died before it returned a result. */
export class FfmpegCrash extends Error {
  constructor(readonly reason: ExitReason) {
    super('ffmpeg ended unexpectedly');
  }
}

/** The names of input and output on the command line. */
export interface FfmpegFiles {
  readonly protocol: string;
  readonly input: string;
  readonly output: string;
}

/** FFmpeg in a separate process, confined like the decoders. Runs one command at a time. */
export interface FfmpegProgram {
  readonly files: FfmpegFiles;
  /** Rejects with `FfmpegCrash`, or with `MediaUnavailableError` if the program cannot be started. */
  run(args: string[], input: Uint8Array, maxOutputBytes: number): Promise<FfmpegResult>;
  /** The total CPU time of its processes so far, including those that have exited. */
  cpuMs(): number;
  kill(): void;
}

/** Nothing has read the file yet, so it is not to blame. */
function notStarted(cause: unknown): MediaUnavailableError {
  return new MediaUnavailableError('FFmpeg could not be started', { cause });
}

export function createFfmpeg(options: MediaOptions, onStart: (pid?: number) => void): FfmpegProgram {
  return options.ffmpegPath === null
    ? new WasmFfmpeg(options, onStart)
    : new InstalledFfmpeg(options, options.ffmpegPath, onStart);
}

type WasmResult = FfmpegResult & { rss: number };
type WasmMessage = WasmResult | 'ready';

/** `ffmpeg-wasm/main.ts`, started by the first command and kept for the next one: compiling takes longer than most commands. */
class WasmFfmpeg implements FfmpegProgram {
  readonly files = { protocol: 'file', input: '/input', output: '/output' };
  private process: ChildProcess | null = null;
  private readonly cpu = new CpuMeter();
  private onResult: (result: WasmResult) => void = () => undefined;
  private onFailure: (error: FfmpegCrash | MediaUnavailableError) => void = () => undefined;

  constructor(
    private readonly options: MediaOptions,
    private readonly onStart: (pid?: number) => void,
  ) {}

  async run(args: string[], input: Uint8Array): Promise<FfmpegResult> {
    const child = this.processOrStart();
    const completed = new Promise<WasmResult>((resolve, reject) => {
      this.onResult = resolve;
      this.onFailure = reject;
    });
    child.ref();
    child.channel?.ref();
    // A child that could not be started has no process id, and its `error` event follows.
    if (child.pid !== undefined) child.send({ args, input });
    try {
      const result = await completed;
      // WASM memory never shrinks.
      if (result.rss > this.options.recycleAboveBytes) this.kill();
      return result;
    } finally {
      // An idle process must not keep the service alive.
      child.unref();
      child.channel?.unref();
    }
  }

  cpuMs(): number {
    return this.cpu.totalMs();
  }

  kill(): void {
    this.cpu.end();
    this.process?.kill('SIGKILL');
    this.process = null;
  }

  private processOrStart(): ChildProcess {
    try {
      return (this.process ??= this.start());
    } catch (error) {
      throw notStarted(error);
    }
  }

  private start(): ChildProcess {
    const program = join(dirname(this.options.entry), '..', 'ffmpeg-wasm', 'main.js');
    const child = forkConfined(program, this.options, 'ignore');
    this.cpu.start(child.pid);
    let isReady = false;
    const fail = (cause: unknown, reason: ExitReason) => {
      // A replaced process may exit while its successor is working.
      if (this.process !== child) return;
      this.cpu.end();
      this.process = null;
      this.onFailure(isReady ? new FfmpegCrash(reason) : notStarted(cause));
    };
    child.on('message', (message: WasmMessage) => {
      if (message === 'ready') isReady = true;
      else this.onResult(message);
    });
    child.once('exit', (code, signal) => {
      const reason = reasonOf({ code, signal });
      if (this.process === child) recordExit('ffmpeg', reason, { code, signal });
      fail(`it ended with ${signal ?? `code ${code}`}`, reason);
    });
    // Also emitted if a message cannot be sent, because the process is just being killed or has closed the channel.
    child.on('error', (error) => {
      child.kill('SIGKILL');
      if (child.pid === undefined) fail(error, 'crashed');
    });
    this.onStart(child.pid);
    return child;
  }
}

/** The program at `FFMPEG_PATH`, once per command. */
class InstalledFfmpeg implements FfmpegProgram {
  readonly files = { protocol: 'pipe', input: 'pipe:0', output: 'pipe:1' };
  private process: ChildProcess | null = null;
  /** We end it because its result is no longer needed, or because it exceeds the limit of its output. */
  private dismissed = false;
  private readonly cpu = new CpuMeter();

  constructor(
    private readonly options: MediaOptions,
    private readonly path: string,
    private readonly onStart: (pid?: number) => void,
  ) {}

  async run(args: string[], input: Uint8Array, maxOutputBytes: number): Promise<FfmpegResult> {
    const child = await this.start(args);
    const cpuBefore = this.cpu.totalMs();
    const sampling = setInterval(() => this.cpu.totalMs(), CPU_SAMPLE_MS);
    const output: Buffer[] = [];
    let [length, log] = [0, ''];
    child.stdout.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > maxOutputBytes) this.kill();
      else output.push(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      if (log.length < MAX_LOG_BYTES) log += chunk.toString('latin1');
    });
    // It may exit before it has read everything.
    child.stdin.on('error', () => undefined).end(input);
    return new Promise((resolve, reject) => {
      // It cannot be killed.
      child.once('error', () => reject(new FfmpegCrash('crashed')));
      child.once('close', (code, signal) => {
        clearInterval(sampling);
        this.cpu.end();
        this.process = null;
        const reason = this.dismissed
          ? 'crashed'
          : unusualEnd({ code, signal }, log, this.cpu.totalMs() - cpuBefore);
        if (reason !== null && !this.dismissed) recordExit('ffmpeg', reason, { code, signal });
        if (reason !== null) reject(new FfmpegCrash(reason));
        else if (endedBeforeStart(code, log)) reject(notStarted(log));
        else resolve({ output: length > 0 ? Buffer.concat(output) : null, log });
      });
    });
  }

  cpuMs(): number {
    return this.cpu.totalMs();
  }

  kill(): void {
    this.dismissed = true;
    this.process?.kill('SIGKILL');
  }

  private async start(args: string[]): Promise<ChildProcessWithoutNullStreams> {
    this.dismissed = false;
    try {
      const [command = '', ...rest] = [...installedFfmpeg(this.options, this.path), ...args];
      const child = spawn(command, rest, { env: minimalEnv() });
      this.process = child;
      this.cpu.start(child.pid);
      await once(child, 'spawn');
      dieFirst(child.pid);
      this.onStart(child.pid);
      return child;
    } catch (error) {
      throw notStarted(error);
    }
  }
}

/** If the machine runs out of memory, the kernel kills this process rather than the service. Our own programs do this themselves. */
function dieFirst(pid: number | undefined): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, '1000');
  } catch {
    // Linux only; or it has already exited.
  }
}

/**
 * Why it ended early; null if it exited normally, which it does even for a damaged file. FFmpeg reports the signals that it handles, and
 * the kernel uses SIGKILL for its own reasons and for our limit of CPU time.
 */
export function unusualEnd(exit: Exit, log: string, cpuMs: number): ExitReason | null {
  const [, handled] = (exit.code === 255 && /received signal (\d+)/.exec(log)) || [];
  if (handled !== undefined) return Number(handled) === constants.signals.SIGXCPU ? 'timeout' : 'killed';
  const reason = reasonOf(exit);
  if (exit.signal === null) return reason === 'killed' ? reason : null;
  return reason === 'killed' && cpuMs >= MAX_CPU_SECONDS * 1000 ? 'timeout' : reason;
}

/**
 * Whether a command of the wrapper failed or could not execute the next one (126 and 127, as in a shell). The dynamic linker also exits
 * with 127 when it cannot load a library; FFmpeg never does.
 */
function endedBeforeStart(code: number | null, log: string): boolean {
  return code === 126 || code === 127 || /^(prlimit|setpriv|unshare): /.test(log);
}

/** The command that runs it in confinement. The kernel limits memory and CPU time, because the program has no watchdog. */
export function installedFfmpeg(
  { confinement, memoryLimitBytes }: Pick<MediaOptions, 'confinement' | 'memoryLimitBytes'>,
  path: string,
): string[] {
  const { wrapper } = confinement;
  const limit =
    wrapper[0] === 'prlimit'
      ? ['prlimit', `--as=${memoryLimitBytes}`, `--cpu=${MAX_CPU_SECONDS}:${KILL_AFTER_CPU_SECONDS}`]
      : [];
  return [...limit, ...wrapper, path];
}
