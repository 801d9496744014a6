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
