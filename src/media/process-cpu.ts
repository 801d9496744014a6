import { readFileSync } from 'node:fs';

const MS_PER_TICK = 10;

/** CPU time a process has used so far; null where the system does not tell (anything but Linux) or the process is gone. */
export function cpuMsOf(pid: number | undefined): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The command's name, in parentheses, may hold anything: count from behind it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
  } catch {
    return null;
  }
}
