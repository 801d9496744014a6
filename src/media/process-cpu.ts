import { readFileSync } from 'node:fs';

const MS_PER_TICK = 10;

/** The CPU time that a process has used; null if the system does not report it (anything but Linux) or the process has exited. */
export function cpuMsOf(pid: number | undefined): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The command's name, in parentheses, can contain anything: count from behind it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
  } catch {
    return null;
  }
}
