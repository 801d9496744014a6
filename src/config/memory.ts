import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { dirname, join } from 'node:path';

/** A control group with a memory limit, as containers, systemd and Kubernetes set one. */
interface Group {
  readonly limit: number;
  readonly free: number;
}

/** The files of a control group, by version of the interface. Cached files count as used, but the kernel drops them when needed. */
const VERSIONS = [
  {
    path: /^0::(\/.*)$/m,
    mount: 'sys/fs/cgroup',
    limit: 'memory.max',
    used: 'memory.current',
    cached: /^(?:in)?active_file (\d+)$/gm,
  },
  {
    path: /^\d+:(?:[^:]*,)?memory(?:,[^:]*)?:(\/.*)$/m,
    mount: 'sys/fs/cgroup/memory',
    limit: 'memory.limit_in_bytes',
    used: 'memory.usage_in_bytes',
    cached: /^total_(?:in)?active_file (\d+)$/gm,
  },
];

const MIB = 1024 * 1024;
const MOST_DECODERS = 6;
/** Measured with large pictures; the service itself, and each decoder. */
const SERVICE_BYTES = 350 * MIB;
export const DECODER_BYTES = 165 * MIB;

/** How much memory this process and its children may use: the smallest limit of the control groups that contain it, or the whole machine. */
export function memoryLimit(root = '/'): number {
  return Math.min(totalmem(), ...groupsIn(root).map(({ limit }) => limit));
}

/** How much of that memory is free; Infinity if unknown. */
export function freeMemory(root = '/'): number {
  const [, available] = /^MemAvailable:\s+(\d+) kB$/m.exec(read(root, 'proc/meminfo')) ?? [];
  const ofMachine = available === undefined ? Infinity : Number(available) * 1024;
  return Math.min(ofMachine, ...groupsIn(root).map(({ free }) => free));
}

function groupsIn(root: string): Group[] {
  const own = read(root, 'proc/self/cgroup');
  return VERSIONS.flatMap(({ path, mount, limit, used, cached }) => {
    const [, start] = path.exec(own) ?? [];
    if (start === undefined) return [];
    return withParents(start).flatMap((at) => {
      const file = (name: string) => read(root, mount, at, name);
      const most = Number(file(limit).trim() || Number.NaN);
      // `max`, or no such file: a container sees its own group as the root, but may be told its path on the host.
      if (!Number.isFinite(most)) return [];
      const cache = [...file('memory.stat').matchAll(cached)].reduce(
        (sum, [, bytes]) => sum + Number(bytes),
        0,
      );
      return [{ limit: most, free: most - Number(file(used)) + cache }];
    });
  });
}

/** A limit of a parent applies too. */
function withParents(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [path, ...withParents(parent)];
}

function read(...path: string[]): string {
  try {
    return readFileSync(join(...path), 'utf8');
  } catch {
    return '';
  }
}

/** The memory that the service needs to decode this many large files at the same time. */
export function memoryFor(decoders: number): number {
  return SERVICE_BYTES + decoders * DECODER_BYTES;
}

/** As many as fit into the memory, at least one. */
export function decodersFor(memoryBytes: number): number {
  const fitting = Math.floor((memoryBytes - SERVICE_BYTES) / DECODER_BYTES);
  return Math.max(1, Math.min(MOST_DECODERS, fitting));
}
