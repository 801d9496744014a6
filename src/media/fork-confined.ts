import { type ChildProcess, fork } from 'node:child_process';
import type { MediaOptions } from './media.types.js';
import { minimalEnv } from './minimal-env.js';

/** Starts one of our programs with the memory limit as its argument. Its process id is that of the program itself. */
export function forkConfined(
  program: string,
  { confinement, heapLimitMb, memoryLimitBytes }: MediaOptions,
  stderr: 'pipe' | 'ignore',
): ChildProcess {
  const nodeFlags = [`--max-old-space-size=${heapLimitMb}`, ...confinement.nodeFlags];
  // Each command of the wrapper replaces itself with the next one (exec), so that the process id stays the same.
  const [execPath, ...execArgv] = [...confinement.wrapper, process.execPath, ...nodeFlags];
  return fork(program, [String(memoryLimitBytes)], {
    env: minimalEnv(),
    execPath,
    execArgv,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', stderr, 'ipc'],
  });
}
