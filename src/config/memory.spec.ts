import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { freeMemory, memoryLimit } from './memory.js';

const MIB = 1024 * 1024;

describe('The memory of this process', () => {
  const roots: string[] = [];
  afterAll(() => roots.forEach((root) => rmSync(root, { recursive: true })));

  function rootWith(files: Record<string, string | number>): string {
    const root = mkdtempSync(join(tmpdir(), 'memory-'));
    roots.push(root);
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), `${text}\n`);
    }
    return root;
  }

  it('is that of the machine where nothing limits it', () => {
    expect(memoryLimit(rootWith({}))).toBe(totalmem());
    expect(freeMemory(rootWith({}))).toBe(Infinity);
    const unlimited = rootWith({
      'proc/self/cgroup': '4:memory:/\n0::/',
      'proc/meminfo': 'MemTotal: 900 kB\nMemAvailable:   800 kB',
      'sys/fs/cgroup/memory.max': 'max',
      'sys/fs/cgroup/memory/memory.limit_in_bytes': '9223372036854771712',
      'sys/fs/cgroup/memory/memory.usage_in_bytes': '0',
    });
    expect(memoryLimit(unlimited)).toBe(totalmem());
    expect(freeMemory(unlimited)).toBe(800 * 1024);
  });

  it('is limited by its control group and all groups above it (version 2)', () => {
    const root = rootWith({
      'proc/self/cgroup': '0::/kube/pod/container',
      'sys/fs/cgroup/kube/memory.max': 600 * MIB,
      'sys/fs/cgroup/kube/memory.current': 100 * MIB,
      'sys/fs/cgroup/kube/pod/memory.max': 300 * MIB,
      'sys/fs/cgroup/kube/pod/memory.current': 290 * MIB,
      'sys/fs/cgroup/kube/pod/memory.stat': `anon 1\nactive_file ${30 * MIB}\ninactive_file ${20 * MIB}`,
      'sys/fs/cgroup/kube/pod/container/memory.max': 'max',
    });
    expect(memoryLimit(root)).toBe(300 * MIB);
    // Cached files count as free.
    expect(freeMemory(root)).toBe(60 * MIB);
  });

  it('is limited by a group that appears as the root, as in a container (version 2)', () => {
    const root = rootWith({ 'proc/self/cgroup': '0::/docker/3f2', 'sys/fs/cgroup/memory.max': 512 * MIB });
    expect(memoryLimit(root)).toBe(512 * MIB);
  });

  it('is limited by its control group (version 1)', () => {
    const root = rootWith({
      'proc/self/cgroup': '11:cpu,cpuacct:/x\n9:memory:/docker/3f2\n0::/',
      'sys/fs/cgroup/memory/docker/3f2/memory.limit_in_bytes': 256 * MIB,
      'sys/fs/cgroup/memory/docker/3f2/memory.usage_in_bytes': 200 * MIB,
      'sys/fs/cgroup/memory/docker/3f2/memory.stat': `inactive_file 1\ntotal_inactive_file ${40 * MIB}\ntotal_active_file 0`,
    });
    expect(memoryLimit(root)).toBe(256 * MIB);
    expect(freeMemory(root)).toBe(96 * MIB);
  });

  it('can be read on this machine', () => {
    expect(memoryLimit()).toBeGreaterThan(0);
    expect(freeMemory()).toBeGreaterThan(0);
  });
});
