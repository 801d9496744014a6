import { transformFileSync } from '@swc/core';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import {
  constants,
  type NodeGCPerformanceDetail,
  type PerformanceEntry,
  PerformanceObserver,
} from 'node:perf_hooks';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { freeBuffersEarly } from './stream-memory.js';

/** Their type lacks this property. */
type Collection = PerformanceEntry & { readonly detail: NodeGCPerformanceDetail };

const CHUNK_BYTES = 64 * 1024;
const CHUNKS = 16_000;
const CHUNKS_PER_TURN = 16;
const PAGE_BYTES = 4096;

describe('freeBuffersEarly', () => {
  it('lets the chunks of a long stream be freed by minor garbage collections', async () => {
    freeBuffersEarly();
    const kinds: (number | undefined)[] = [];
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Collection[]) kinds.push(entry.detail.kind);
    });
    observer.observe({ entryTypes: ['gc'] });
    for (let chunk = 0; chunk < CHUNKS; chunk++) {
      Buffer.allocUnsafeSlow(CHUNK_BYTES);
      if (chunk % CHUNKS_PER_TURN === 0) await nextTurn();
    }
    // The observer is called later.
    await delay(100);
    observer.disconnect();
    const count = (kind: number) => kinds.filter((each) => each === kind).length;
    expect(count(constants.NODE_PERFORMANCE_GC_MINOR)).toBeGreaterThan(
      count(constants.NODE_PERFORMANCE_GC_MAJOR),
    );
  });
});

const { header } = process.report.getReport() as unknown as { header: { glibcVersionRuntime?: string } };
const onGlibc = header.glibcVersionRuntime ? it : it.skip;

describe('keepFreedMemory', () => {
  onGlibc('lets the chunks of a long stream use the memory of earlier ones', () => {
    const { code } = transformFileSync(join(__dirname, 'stream-memory.ts'), { module: { type: 'commonjs' } });
    // In a new process, because the threshold belongs to the process and never falls again.
    const pages = execFileSync(process.execPath, ['--eval', `${code};(${countNewPages})()`], {
      encoding: 'utf8',
    });
    expect(Number(pages)).toBeLessThan((CHUNKS * CHUNK_BYTES) / PAGE_BYTES / 20);
  });
});

/** Prints how many pages of memory the system provides for the second half of a stream. */
const countNewPages = `async function () {
  exports.keepFreedMemory();
  const stream = async () => {
    for (let chunk = 0; chunk < ${CHUNKS}; chunk++) {
      Buffer.allocUnsafeSlow(${CHUNK_BYTES}).fill(1);
      if (chunk % ${CHUNKS_PER_TURN} === 0) await new Promise(setImmediate);
    }
  };
  await stream();
  const before = process.resourceUsage().minorPageFault;
  await stream();
  console.log(process.resourceUsage().minorPageFault - before);
}`;
