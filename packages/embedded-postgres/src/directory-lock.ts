import { execFile } from 'node:child_process';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PostgresStartError } from './start-error.js';

const run = promisify(execFile);

/**
 * Marks a directory as used by this process until the returned function is called. Fails while another running
 * process holds it; a mark left behind by a killed process is replaced, even when its pid now belongs to another one.
 */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  const file = join(directory, 'owner');
  const mark = `${process.pid}\n${await processIdentity(process.pid)}\n`;
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, mark, { mode: 0o600 });
  try {
    for (;;) {
      try {
        // A link appears with its content or not at all, so nobody ever reads a half-written mark.
        await link(draft, file);
        break;
      } catch (error) {
        if (!hasCode(error, 'EEXIST')) throw error;
      }
      const found = await readFile(file, 'utf8').catch(() => '');
      const [pid = '', identity = ''] = found.split('\n');
      if (identity !== '' && (await processIdentity(Number(pid))) === identity)
        throw directoryInUse(directory, pid);
      await rm(file, { force: true });
    }
  } finally {
    await rm(draft, { force: true });
  }
  return async () => {
    if ((await readFile(file, 'utf8').catch(() => '')) === mark) await rm(file, { force: true });
  };
}

export function directoryInUse(directory: string, pid: string | number): PostgresStartError {
  return new PostgresStartError(
    'directory_in_use',
    `The data directory ${directory} is in use by process ${pid}. Stop that process first, or use another directory.`,
  );
}

/** When the process started, which distinguishes it from a later one with the same pid. Null if it has exited (or is a zombie). */
export async function processIdentity(pid: number): Promise<string | null> {
  if (!isRunning(pid)) return null;
  if (process.platform === 'win32') return 'running';
  if (process.platform === 'linux') {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    // The name in parentheses can contain anything, so fields are counted from its end: state first, start time twentieth.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (stat === '' || fields[0] === 'Z' || fields[0] === 'X') return null;
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
    return `${boot.trim()} ${fields[19]}`;
  }
  const { stdout } = await ps(pid, 'stat=,lstart=');
  const [state = 'Z', ...started] = stdout.trim().split(/\s+/);
  return state.startsWith('Z') ? null : started.join(' ');
}

/** The command line of a running process; empty if it has exited. */
export async function commandLine(pid: number): Promise<string> {
  if (!isRunning(pid)) return '';
  if (process.platform !== 'linux') return (await ps(pid, 'command=')).stdout.trim();
  const words = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return words.split('\0').join(' ').trim();
}

export function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}

export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && codes.includes((error as NodeJS.ErrnoException).code ?? '');
}

function ps(pid: number, columns: string): Promise<{ stdout: string }> {
  const env = { ...process.env, LC_ALL: 'C' };
  return run('ps', ['-ww', '-o', columns, '-p', String(pid)], { env }).catch(() => ({ stdout: '' }));
}
