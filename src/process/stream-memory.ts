import { setFlagsFromString } from 'node:v8';

/** The first version that frees buffers too late. */
const FIRST_LATE_NODE = 24;

/** Slightly less than 32 MB, above which freeing a block no longer raises the threshold. */
const BLOCK_BYTES = 31 * 1024 * 1024;

/**
 * Lets V8 free the buffers of streams in its short, minor garbage collections, as before Node 24. There, every 64 MB that pass through the
 * process start a major one, which visits the whole heap: half the throughput for twice the CPU time (nodejs/node#61967).
 */
export function freeBuffersEarly(): void {
  if (Number.parseInt(process.versions.node) < FIRST_LATE_NODE) return;
  setFlagsFromString('--scavenger-max-new-space-capacity-mb=8');
}

/**
 * Lets glibc keep up to 64 MB of freed memory for the next buffers. By default it returns all but 128 KB to the system, and getting it
 * back page by page takes 15 % of the CPU time of a long download. The threshold becomes twice the size of the largest block freed so far
 * (mallopt(3), M_MMAP_THRESHOLD). This block is freed by the next garbage collection; as it is never written to, it takes no memory.
 */
export function keepFreedMemory(): void {
  Buffer.allocUnsafeSlow(BLOCK_BYTES);
}
