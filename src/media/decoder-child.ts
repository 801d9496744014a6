import type { ChildProcess } from 'node:child_process';
import { constants, getPriority, setPriority } from 'node:os';
import { MediaUnavailableError, type MediaOptions } from './media.types.js';
import { type Exit, type ExitReason, reasonOf, recordExit } from './decoder-exit.js';
import { createFfmpeg, FfmpegCrash, type FfmpegProgram } from './ffmpeg-program.js';
import { forkConfined } from './fork-confined.js';
import { cpuMsOf } from './process-cpu.js';
import {
  type ChildMessage,
  type FrameRequest,
  type Job,
  type JobReply,
  type ParentMessage,
  type ReadRequest,
} from './protocol.js';
import { decodeFrame, isFrameRequest } from './video-frames.js';

export type Outcome =
  | { kind: 'reply'; reply: JobReply }
  | { kind: 'crashed' }
  | { kind: 'killed' }
  | { kind: 'over_memory' }
  | { kind: 'timeout'; ours: boolean };

function outcomeOf(reason: ExitReason): Outcome {
  return reason === 'timeout' ? { kind: reason, ours: false } : { kind: reason };
}

/** How often the time limit of a job is extended because the machine kept it from running. */
const EXTENSIONS = 3;

/** The maximum number of bytes that a child requests at a time. */
const MAX_READ = 4 * 1024 * 1024;

/** Reads the bytes of the file for a child that cannot do it itself. */
export interface RangeReader {
  readonly size: number;
  read(start: number, length: number): Promise<Buffer>;
  close(): Promise<void>;
}

/** Lower than our own priority. */
export function lowPriority(): number {
  const { PRIORITY_LOW, PRIORITY_BELOW_NORMAL } = constants.priority;
  return Math.min(PRIORITY_LOW, getPriority() + PRIORITY_BELOW_NORMAL);
}

/** Right after the start, because threads inherit it from the thread that starts them. */
function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, lowPriority());
  } catch {
    // The child has already exited, or the system does not allow it. It still works, at the usual priority.
  }
}

/** One child process. Runs at most one job at a time, and is killed if anything is unexpected. */
export class DecoderChild {
  jobs = 0;
  private readonly process: ChildProcess;
  private readonly exited: Promise<void>;
  private gone = false;
  /** We end it because it is no longer needed. */
  private dismissed = false;
  /** It sent something that a correct child never sends. */
  private misbehaved = false;
  private diagnostics = '';
  /** At most one per decoder, started when a video needs it. */
  private readonly ffmpeg: FfmpegProgram;
  private onMessage: (message: ChildMessage) => void = () => undefined;
  private onGone: (outcome: Outcome) => void = () => undefined;

  private constructor(
    private readonly options: MediaOptions,
    isBackground: boolean,
  ) {
    this.ffmpeg = createFfmpeg(options, (pid) => {
      if (isBackground) lowerPriority(pid);
    });
    this.process = forkConfined(options.entry, options, 'pipe');
    if (isBackground) lowerPriority(this.process.pid);
    this.process.stderr?.on('data', (chunk: Buffer) => {
      this.diagnostics = (this.diagnostics + chunk.toString('utf8')).slice(-2_000);
    });
    this.exited = new Promise((resolve) => {
      const end = (exit: Exit) => {
        if (this.gone) return;
        this.gone = true;
        this.ffmpeg.kill();
        const reason = this.misbehaved ? 'crashed' : reasonOf(exit);
        if (!this.dismissed) recordExit('decoder', reason, exit);
        this.onGone(outcomeOf(reason));
        resolve();
      };
      this.process.once('exit', (code, signal) => end({ code, signal }));
      // `error` is also emitted if a message cannot be sent. If the child does not exit by itself, it is killed here.
      this.process.on('error', () => {
        this.process.kill('SIGKILL');
        if (this.process.pid === undefined) end({ code: null, signal: null });
      });
    });
    this.process.on('message', (message) => this.onMessage(message as ChildMessage));
  }

  static async start(options: MediaOptions, isBackground = false): Promise<DecoderChild> {
    let child: DecoderChild | undefined;
    let timer: NodeJS.Timeout | undefined;
    try {
      const started = (child = new DecoderChild(options, isBackground));
      await new Promise<void>((resolve, reject) => {
        timer = setTimeout(() => reject(new Error('it did not start in time')), options.startTimeoutMs);
        started.onGone = () => reject(new Error(started.diagnostics));
        started.onMessage = () => resolve();
      });
      return started;
    } catch (cause) {
      void child?.kill();
      throw new MediaUnavailableError('the media decoder could not be started', { cause });
    } finally {
      clearTimeout(timer);
    }
  }

  get alive(): boolean {
    return !this.gone;
  }

  get pid(): number | undefined {
    return this.process.pid;
  }

  /** Rejects only with the signal's reason, or with `MediaUnavailableError` if FFmpeg cannot be started. */
  async run(job: Job, timeLimitMs: number, reader: RangeReader, signal?: AbortSignal): Promise<Outcome> {
    // It may have been aborted while this child was starting.
    signal?.throwIfAborted();
    this.jobs += 1;
    this.keepParentAlive(true);
    let [reading, decoding] = [false, false];
    let cleanUp = (): void => undefined;
    try {
      return await new Promise<Outcome>((resolve, reject) => {
        const onAbort = () => reject(signal?.reason as Error);
        const cpuBefore = this.cpuMs() ?? 0;
        const onLimit = (extensions: number): void => {
          // On a busy machine, a valid file may spend most of its time waiting for the CPU, which is not the file's fault.
          const starved = (this.cpuMs() ?? Infinity) - cpuBefore < timeLimitMs / 2;
          if (reading || !starved || extensions === 0) {
            recordExit('decoder', 'timeout');
            resolve({ kind: 'timeout', ours: reading || starved });
          } else timer = setTimeout(onLimit, timeLimitMs, extensions - 1);
        };
        let timer = setTimeout(onLimit, timeLimitMs, EXTENSIONS);
        cleanUp = () => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', onAbort);
        };
        signal?.addEventListener('abort', onAbort, { once: true });
        this.onGone = resolve;
        this.onMessage = (message) => {
          if (message.kind === 'read') {
            // A correct child waits for the response; a malicious one could fill our memory with requests.
            if (reading) return this.endMisbehaving();
            // Determines the cause of a timeout: the store while we read, the file otherwise.
            reading = true;
            void this.sendBytes(message, reader).then(() => (reading = false));
          } else if (message.kind === 'frame') {
            if (decoding) return this.endMisbehaving();
            decoding = true;
            void this.sendFrame(message).then(
              () => (decoding = false),
              (error) => {
                if (error instanceof MediaUnavailableError) return reject(error);
                resolve(error instanceof FfmpegCrash ? outcomeOf(error.reason) : { kind: 'crashed' });
              },
            );
          } else if (message.kind !== 'ready') resolve({ kind: 'reply', reply: message });
        };
        // Not because of this job.
        if (this.gone) resolve({ kind: 'killed' });
        else this.send(job);
      });
    } finally {
      cleanUp();
      this.onMessage = this.onGone = () => undefined;
      this.keepParentAlive(false);
    }
  }

  async kill(): Promise<void> {
    this.dismissed = true;
    // The process must stay alive until the child has exited.
    this.keepParentAlive(true);
    this.ffmpeg.kill();
    this.process.kill('SIGKILL');
    await this.exited;
  }

  private endMisbehaving(): void {
    this.misbehaved = true;
    this.process.kill('SIGKILL');
  }

  /** A malicious file may control the child, so it gets only bytes of that file. */
  private async sendBytes({ start, end }: ReadRequest, reader: RangeReader): Promise<void> {
    const valid = Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && end > start;
    const allowed = valid && end <= reader.size && end - start <= MAX_READ;
    const bytes = allowed ? await reader.read(start, end - start).catch(() => null) : null;
    if (!this.gone) this.send({ kind: 'bytes', bytes });
  }

  private async sendFrame(request: FrameRequest): Promise<void> {
    const { maxPixels } = this.options.limits;
    const frame = isFrameRequest(request) ? await decodeFrame(this.ffmpeg, request, maxPixels) : null;
    if (!this.gone) this.send({ kind: 'frame', frame });
  }

  /** Null if the system does not report it. */
  private cpuMs(): number | null {
    const own = cpuMsOf(this.pid);
    return own === null ? null : own + this.ffmpeg.cpuMs();
  }

  private send(message: ParentMessage): void {
    this.process.send(message);
  }

  /** An idle child must not keep the process that started it alive. */
  private keepParentAlive(alive: boolean): void {
    const stderr = this.process.stderr as (NodeJS.ReadableStream & { ref?(): void; unref?(): void }) | null;
    for (const handle of [this.process, this.process.channel, stderr]) {
      if (alive) handle?.ref?.();
      else handle?.unref?.();
    }
  }
}
