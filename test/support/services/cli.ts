import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { program } from './service.js';

/** Runs `npm run cli -- …` with exactly this environment. */
export function cli(
  env: Record<string, string>,
  ...args: string[]
): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [...program('cli'), ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: stdout + stderr });
    });
  });
}

/** The same, for tests that end it early. */
export function startCli(env: Record<string, string>, ...args: string[]): ChildProcess {
  return spawn(process.execPath, [...program('cli'), ...args], { env, stdio: 'ignore' });
}
