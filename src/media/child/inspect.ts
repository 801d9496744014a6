import { MediaError, type SupportedMime } from '../media.types.js';
import type { FactsOnWire, InspectJob, JobReply, Verdict } from '../protocol.js';
import { type ByteSource, FileSource, SourceError, UrlSource } from './byte-source.js';
import { inspectHeic } from './heic.js';
import { inspectMp4 } from './mp4.js';
import { inspectRaster } from './raster.js';
import { nameOf, sniff } from './sniff.js';

/** Long enough for every magic number and for an `ftyp` box with many brands. */
const HEAD_BYTES = 1_024;

/** Never rejects: whatever happens to hostile bytes is an answer. */
export async function inspect(job: InspectJob, onReading: (reading: boolean) => void): Promise<JobReply> {
  try {
    const facts = await look(job, onReading);
    return { kind: 'facts', facts, rss: process.memoryUsage.rss(), worn: false };
  } catch (error) {
    const verdict = verdictOf(error);
    // A trap leaves WASM memory in disorder; JavaScript and libvips clean up after themselves.
    const worn =
      job.declared === 'image/heic' && !(error instanceof SourceError || error instanceof MediaError);
    return { ...verdict, rss: process.memoryUsage.rss(), worn };
  }
}

function verdictOf(error: unknown): Verdict {
  if (error instanceof SourceError) return { kind: 'unavailable', message: error.message };
  if (error instanceof MediaError) return { kind: 'refused', code: error.code, message: error.message };
  // Decoders and parsers throw what they like; the bytes are what they have in common.
  return { kind: 'refused', code: 'media_invalid', message: 'The file is damaged and could not be read.' };
}

async function look(job: InspectJob, onReading: (reading: boolean) => void): Promise<FactsOnWire> {
  const source =
    job.source.kind === 'file'
      ? await FileSource.open(job.source.path)
      : new UrlSource(job.source.url, job.source.sizeBytes, job.limits.sourceTimeoutMs, onReading);
  try {
    assertType(await source.read(0, HEAD_BYTES), job.declared);
    return await factsOf(source, job);
  } finally {
    await source.close();
  }
}

function assertType(head: Buffer, declared: SupportedMime): void {
  if (head.length === 0) throw new MediaError('content_mismatch', 'The file is empty.');
  const found = sniff(head);
  if (found === declared) return;
  const looks = found === null ? '' : ` They look like ${nameOf(found)}.`;
  throw new MediaError('content_mismatch', `The file's bytes are not ${nameOf(declared)}.${looks}`);
}

async function factsOf(source: ByteSource, job: InspectJob): Promise<FactsOnWire> {
  switch (job.declared) {
    case 'image/jpeg':
    case 'image/png':
    case 'image/webp':
      return inspectRaster(source, job.declared, job.limits);
    case 'image/heic':
      return inspectHeic(source, job.limits);
    case 'video/mp4':
      return inspectMp4(source, job.limits);
  }
}
