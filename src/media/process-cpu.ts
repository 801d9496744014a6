import { readFileSync } from 'node:fs';

const MS_PER_TICK = 10;

/** The CPU time that a process has used; null if the system does not report it (anything but Linux) or the process has exited. */
export function cpuMsOf(pid: number | undefined): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The command's name, in parentheses, can contain anything, so fields are counted after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
  } catch {
    return null;
  }
}

/** Adds up the CPU time of processes that run one after another. */
export class CpuMeter {
  private pid: number | undefined;
  private endedMs = 0;
  private runningMs = 0;

  start(pid: number | undefined): void {
    this.end();
    this.pid = pid;
  }

  /** The CPU time of an exited process can no longer be read, so it counts with the value of the last call. */
  totalMs(): number {
    this.runningMs = cpuMsOf(this.pid) ?? this.runningMs;
    return this.endedMs + this.runningMs;
  }

  end(): void {
    this.endedMs = this.totalMs();
    this.runningMs = 0;
    this.pid = undefined;
  }
}
