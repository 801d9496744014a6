import { readdirSync, readFileSync } from 'node:fs';

/** Resident megabytes of a process alone. */
export function memoryOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1024;
}

/** Resident megabytes of a process and of everything it has started. What they share is counted for each of them. */
export function memoryOfFamily(pid: number): number {
  return familyOf(pid).reduce((sum, member) => sum + memoryOf(member), 0);
}

/** The process and everything it has started, by their ids. */
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

/** The most it held while the work went on, looked at many times a second. */
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

/** Empty when the process has gone meanwhile. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
