import { readdirSync, readFileSync } from 'node:fs';

/** The resident memory of a single process, in megabytes. */
export function memoryOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1024;
}

/** The resident memory of a process and all its descendants, in megabytes. Shared memory is counted for each of them. */
export function memoryOfFamily(pid: number): number {
  return familyOf(pid).reduce((sum, member) => sum + memoryOf(member), 0);
}

/** The ids of the process and all its descendants. */
export function familyOf(pid: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const parent = Number(/^PPid:\s+(\d+)/m.exec(read(`/proc/${name}/status`))?.[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const family = [pid];
  for (const member of family) family.push(...(children.get(member) ?? []));
  return family;
}

/** The peak memory during the work, sampled many times per second. */
export async function peakDuring<T>(
  measure: () => number,
  work: () => Promise<T>,
): Promise<{ result: T; peak: number }> {
  let peak = measure();
  const timer = setInterval(() => (peak = Math.max(peak, measure())), 25);
  try {
    const result = await work();
    return { result, peak: Math.max(peak, measure()) };
  } finally {
    clearInterval(timer);
  }
}

/** Empty if the process has exited in the meantime. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
