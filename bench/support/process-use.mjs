/** The resource usage of a process so far, if the system reports it (Linux); otherwise empty. */
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { clearInterval, setInterval } from 'node:timers';
import { setTimeout as delay } from 'node:timers/promises';

const MS_PER_TICK = 10;
const SAMPLE_MS = 50;
const IDLE_SAMPLE_MS = 1_000;
const IDLE_SHARE = 0.05;
const IDLE_TIMEOUT_MS = 60_000;

export function cpuMs(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The command's name, in parentheses, can contain anything, so fields are counted after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
  } catch {
    return NaN;
  }
}

export function residentMb(pid) {
  try {
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024);
  } catch {
    return NaN;
  }
}

/** Its decoders. */
function childrenOf(pid) {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
}

function childrenMb(pid) {
  try {
    return childrenOf(pid).reduce((sum, child) => sum + (residentMb(child) || 0), 0);
  } catch {
    return NaN;
  }
}

/** Waits until the process has done its background work, which would slow down what is measured next. */
export async function whenIdle(pid) {
  const used = () => [pid, ...childrenOf(pid)].reduce((sum, each) => sum + (cpuMs(each) || 0), 0);
  try {
    for (let [before, end] = [-Infinity, Date.now() + IDLE_TIMEOUT_MS]; Date.now() < end;) {
      const now = used();
      if (now - before < IDLE_SAMPLE_MS * IDLE_SHARE) return;
      before = now;
      await delay(IDLE_SAMPLE_MS);
    }
  } catch {
    // The system does not report it.
  }
}

/** Runs the work and measures how long it took, how much CPU the process used, and the peak memory of the process and its children. */
export async function measured(pid, work) {
  let [peakMb, peakChildrenMb] = [0, 0];
  const sample = () => {
    peakMb = Math.max(peakMb, residentMb(pid));
    peakChildrenMb = Math.max(peakChildrenMb, childrenMb(pid));
  };
  sample();
  const sampler = setInterval(sample, SAMPLE_MS);
  const [startedAt, cpuBefore] = [performance.now(), cpuMs(pid)];
  try {
    const result = await work();
    const ms = performance.now() - startedAt;
    return { result, seconds: ms / 1000, cpuShare: (cpuMs(pid) - cpuBefore) / ms, peakMb, peakChildrenMb };
  } finally {
    clearInterval(sampler);
  }
}
