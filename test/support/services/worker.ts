import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { environmentOf, type Overrides, START_TIMEOUT_MS } from './environment.js';
import { program } from './service.js';

export interface Worker {
  readonly process: ChildProcess;
  output(): string;
  /** Sends SIGTERM and returns the exit code. */
  stop(): Promise<number | null>;
}

/** Starts a process that only does background work, with the settings of a service. */
export async function startWorker(settings: Overrides): Promise<Worker> {
  const child = spawn(process.execPath, program('worker', '--enable-source-maps'), {
    env: environmentOf(settings),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`The worker did not start:\n${text}`)), START_TIMEOUT_MS);
    const read = (chunk: Buffer) => {
      text += chunk.toString();
      if (!text.includes('"msg":"worker started"')) return;
      clearTimeout(timer);
      resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', (code) => reject(new Error(`The worker ended with ${code}:\n${text}`)));
  });
  return {
    process: child,
    output: () => text,
    async stop() {
      if (child.exitCode !== null) return child.exitCode;
      child.kill('SIGTERM');
      const [code] = (await once(child, 'exit')) as [number | null];
      return code;
    },
  };
}
