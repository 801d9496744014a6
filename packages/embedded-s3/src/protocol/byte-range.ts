import { S3Error } from './s3-error.js';

export interface ByteRange {
  start: number;
  /** Inclusive. */
  end: number;
}

/** The requested range; undefined if the header is absent, malformed or contains several ranges, which means the whole object. */
export function parseRange(header: string | undefined, size: number): ByteRange | undefined {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '');
  if (!match) return undefined;
  const [, first = '', last = ''] = match;
  if (first === '' && last === '') return undefined;
  const start = first === '' ? Math.max(size - Number(last), 0) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  if (start >= size) {
    throw new S3Error('InvalidRange', undefined, {
      headers: { 'content-range': `bytes */${size}` },
      details: { ActualObjectSize: String(size) },
    });
  }
  return { start, end };
}
