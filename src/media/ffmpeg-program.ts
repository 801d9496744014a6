import { type ChildProcess, spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { forkConfined } from './fork-confined.js';
import { minimalEnv } from './minimal-env.js';
import type { MediaOptions } from './media.types.js';
import { CpuMeter } from './process-cpu.js';
import { OVER_MEMORY_SIGNAL } from './protocol.js';

const MAX_LOG_BYTES = 100_000;
/** Ends a command that never stops by itself if the service was killed and the kernel did not kill the command with it. */
const MAX_CPU_SECONDS = 120;
const CPU_SAMPLE_MS = 250;

export interface FfmpegResult {
  /** Null: it wrote nothing. */
  output: Uint8Array | null;
  log: string;
}

/** The program died instead of answering. */
export class FfmpegCrash extends Error {
  constructor(readonly isOverMemory: boolean) {
    super('ffmpeg ended unexpectedly');
  }
}

/** How the command line names what goes in and out. */
export interface FfmpegFiles {
  readonly protocol: string;
  readonly input: string;
  readonly output: string;
}

/** FFmpeg in a process of its own, confined as the decoders are. Runs one command at a time. */
export interface FfmpegProgram {
  readonly files: FfmpegFiles;
  /** Rejects with `FfmpegCrash` only. */
  run(args: string[], input: Uint8Array, maxOutputBytes: number): Promise<FfmpegResult>;
  /** All that its processes have used so far, including those that have ended. */
  cpuMs(): number;
  kill(): void;
}

export function createFfmpeg(options: MediaOptions, onStart: (pid?: number) => void): FfmpegProgram {
  return options.ffmpegPath === null
    ? new WasmFfmpeg(options, onStart)
    : new InstalledFfmpeg(options, options.ffmpegPath, onStart);
}

type WasmAnswer = FfmpegResult & { rss: number };

/** `ffmpeg-wasm/main.ts`, started by the first command and kept for the next one: compiling takes longer than most commands. */
class WasmFfmpeg implements FfmpegProgram {
  readonly files = { protocol: 'file', input: '/input', output: '/output' };
  private process: ChildProcess | null = null;
  private readonly cpu = new CpuMeter();
  private onAnswer: (answer: WasmAnswer) => void = () => undefined;
  private onCrash: (crash: FfmpegCrash) => void = () => undefined;

  constructor(
    private readonly options: MediaOptions,
    private readonly onStart: (pid?: number) => void,
  ) {}

  async run(args: string[], input: Uint8Array): Promise<FfmpegResult> {
    const child = (this.process ??= this.start());
    const answered = new Promise<WasmAnswer>((resolve, reject) => {
      this.onAnswer = resolve;
      this.onCrash = reject;
    });
    child.ref();
    child.channel?.ref();
    child.send({ args, input });
    try {
      const answer = await answered;
      // WASM memory never shrinks.
      if (answer.rss > this.options.recycleAboveBytes) this.kill();
      return answer;
    } finally {
      // While idle, it must not keep the service alive.
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

  private start(): ChildProcess {
    const program = join(dirname(this.options.entry), '..', 'ffmpeg-wasm', 'main.js');
    const child = forkConfined(program, this.options, 'ignore');
    this.cpu.start(child.pid);
    // One that was replaced may end while its successor works.
    const crash = (isOverMemory: boolean) => {
      if (this.process !== child) return;
      this.cpu.end();
      this.process = null;
      this.onCrash(new FfmpegCrash(isOverMemory));
    };
    child.on('message', (message) => this.onAnswer(message as WasmAnswer));
    child.once('exit', (_code, signal) => crash(signal === OVER_MEMORY_SIGNAL));
    // Also comes when a message cannot be sent.
    child.on('error', () => {
      child.kill('SIGKILL');
      crash(false);
    });
    this.onStart(child.pid);
    return child;
  }
}

/** The program at `FFMPEG_PATH`, once per command. */
class InstalledFfmpeg implements FfmpegProgram {
  readonly files = { protocol: 'pipe', input: 'pipe:0', output: 'pipe:1' };
  private process: ChildProcess | null = null;
  private readonly cpu = new CpuMeter();

  constructor(
    private readonly options: MediaOptions,
    private readonly path: string,
    private readonly onStart: (pid?: number) => void,
  ) {}

  run(args: string[], input: Uint8Array, maxOutputBytes: number): Promise<FfmpegResult> {
    const [command = '', ...rest] = [...installedFfmpeg(this.options, this.path), ...args];
    const child = spawn(command, rest, { env: minimalEnv(), stdio: ['pipe', 'pipe', 'pipe'] });
    this.process = child;
    this.cpu.start(child.pid);
    this.onStart(child.pid);
    const sampling = setInterval(() => this.cpu.totalMs(), CPU_SAMPLE_MS);
    const output: Buffer[] = [];
    let [length, log] = [0, ''];
    child.stdout.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > maxOutputBytes) child.kill('SIGKILL');
      else output.push(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      if (log.length < MAX_LOG_BYTES) log += chunk.toString('latin1');
    });
    // It may end before it has read everything.
    child.stdin.on('error', () => undefined).end(input);
    return new Promise((resolve, reject) => {
      child.once('error', () => {
        clearInterval(sampling);
        reject(new FfmpegCrash(false));
      });
      child.once('close', (_code, signal) => {
        clearInterval(sampling);
        this.cpu.end();
        this.process = null;
        // Whatever it says to a damaged file, it exits; only a crash or a kill ends it by a signal.
        if (signal !== null) reject(new FfmpegCrash(false));
        else resolve({ output: length > 0 ? Buffer.concat(output) : null, log });
      });
    });
  }

  cpuMs(): number {
    return this.cpu.totalMs();
  }

  kill(): void {
    this.process?.kill('SIGKILL');
  }
}

/** The command that runs it confined. The kernel limits memory and CPU time, since the program does not watch itself. */
export function installedFfmpeg(
  { confinement, memoryLimitBytes }: Pick<MediaOptions, 'confinement' | 'memoryLimitBytes'>,
  path: string,
): string[] {
  const { wrapper } = confinement;
  const limit =
    wrapper[0] === 'prlimit' ? ['prlimit', `--as=${memoryLimitBytes}`, `--cpu=${MAX_CPU_SECONDS}`] : [];
  return [...limit, ...wrapper, path];
}
