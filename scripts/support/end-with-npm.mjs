/**
 * Stops this process when the npm that started it is gone. npm cannot forward SIGKILL, so the service would keep running and keep its port.
 * A process that was not started by npm (`node dist/src/main.js`, a service manager) watches nothing.
 */
import { readFileSync } from 'node:fs';
import { setInterval } from 'node:timers';

const CHECK_MS = 500;
const SHELL = /^(ba|da|a|z|k)?sh$/;

if (/^(start|dev)/.test(process.env.npm_lifecycle_event ?? '')) {
  const line = ancestorsUpToNpm();
  setInterval(() => {
    // An orphan gets another parent immediately, even while the dead one is still listed.
    const isWhole = line.every(
      (pid, index) => pid === (index === 0 ? process.ppid : parentOf(line[index - 1])),
    );
    if (!isWhole) process.kill(process.pid, 'SIGTERM');
  }, CHECK_MS).unref();
}

/**
 * Our ancestors up to npm: npm itself, or the shell with which npm runs scripts, and npm. Linux shows both; on macOS the shell replaces
 * itself.
 */
function ancestorsUpToNpm() {
  const line = [process.ppid];
  while (SHELL.test(statOf(line.at(-1))?.name ?? '')) line.push(parentOf(line.at(-1)));
  return line;
}

function parentOf(pid) {
  return statOf(pid)?.parent ?? null;
}

function statOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses can contain anything; state and parent follow it.
    const end = stat.lastIndexOf(')');
    const [, parent] = stat.slice(end + 2).split(' ');
    return { name: stat.slice(stat.indexOf('(') + 1, end), parent: Number(parent) };
  } catch {
    return null;
  }
}
