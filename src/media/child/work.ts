import { fileType, isVideo } from '../file-types.js';
import { MediaError } from '../media.types.js';
import type { JobResult, Job, JobReply, Verdict } from '../protocol.js';
import { requireType, HEAD_BYTES } from '../sniff.js';
import { ByteSource, SourceError } from './byte-source.js';
import { DECODERS } from './decoders.js';
import type { DecodeFrame } from './poster.js';

/** The parent acts for its child, which has access to neither files nor other programs. */
export interface Parent {
  /** Reads bytes of the file. */
  read: (start: number, end: number) => Promise<Buffer>;
  decodeFrame: DecodeFrame;
}

/** Never rejects: whatever untrusted bytes cause is returned as a result. */
export async function work(job: Job, parent: Parent): Promise<JobReply> {
  try {
    const result = await run(job, parent);
    return { ...result, rss: process.memoryUsage.rss(), mustRestart: false };
  } catch (error) {
    const verdict = verdictOf(error);
    // A trap can leave WASM memory corrupted; JavaScript and libvips clean up after themselves.
    const wasm = fileType(job.declared).decoder === 'heic';
    const mustRestart = wasm && !(error instanceof SourceError || error instanceof MediaError);
    return { ...verdict, rss: process.memoryUsage.rss(), mustRestart };
  }
}

function verdictOf(error: unknown): Verdict {
  if (error instanceof SourceError) return { kind: 'unavailable', message: error.message };
  if (error instanceof MediaError) return { kind: 'refused', code: error.code, message: error.message };
  // Decoders and parsers throw all kinds of errors; they all mean that the bytes are invalid.
  return { kind: 'refused', code: 'media_invalid', message: 'The file is damaged and could not be read.' };
}

async function run(job: Job, { read, decodeFrame }: Parent): Promise<JobResult> {
  const source = new ByteSource(job.sizeBytes, read, !isVideo(job.declared));
  const decoder = DECODERS[fileType(job.declared).decoder];
  requireType(await source.read(0, HEAD_BYTES), job.declared);
  return job.kind === 'inspect'
    ? { kind: 'facts', ...(await decoder.inspect(source, job)) }
    : { kind: 'rendered', rendered: await decoder.render(source, job, decodeFrame) };
}
