/** `npm run dev`: the API, rebuilt and restarted on changes, and the pages with hot reload in front of it. */
import './support/end-with-npm.mjs';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { prepare } from './support/prepare.mjs';
import { endWith, root, say } from './support/steps.mjs';

await prepare().catch(endWith);

const PAGES = 'http://127.0.0.1:5173';
const port = process.env.PORT ?? '3000';
const env = {
  ...process.env,
  API_URL: process.env.API_URL ?? `http://127.0.0.1:${port}`,
  CORS_ORIGINS: process.env.CORS_ORIGINS ?? PAGES,
};
/** In a separate process group, because nest exits without stopping the service it has started. */
const run = (command, args, cwd = root) =>
  spawn(process.execPath, [join(root, 'node_modules', ...command), ...args], {
    cwd,
    env,
    stdio: 'inherit',
    detached: process.platform !== 'win32',
  });

const children = [
  run(['@nestjs', 'cli', 'bin', 'nest.js'], ['start', '--watch']),
  run(['vite', 'bin', 'vite.js'], [], join(root, 'web')),
];
say(`\nThe pages, with hot reload: ${PAGES}\n`);

const stop = () => {
  for (const child of children) {
    try {
      if (process.platform === 'win32') child.kill();
      else process.kill(-child.pid, 'SIGTERM');
    } catch (error) {
      // Every process in the group has already exited.
      if (error.code !== 'ESRCH') throw error;
    }
  }
};
process.on('SIGINT', stop).on('SIGTERM', stop);
for (const child of children) {
  child.once('exit', (code) => {
    stop();
    process.exitCode ||= code ?? 0;
  });
}
