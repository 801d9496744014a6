import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { hashStream } from './hash-stream.js';

describe('hashStream', () => {
  const bytes = Buffer.from('some bytes of a file');
  const options = { sizeBytes: bytes.length, path: null, idleMs: 5_000 };
  const never = new AbortController().signal;

  it('gives the checksum, and keeps the bytes where it is told to', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'hash-stream-'));
    const path = join(directory, 'file');
    const chunks = [bytes.subarray(0, 7), bytes.subarray(7)];
    const expected = createHash('sha256').update(bytes).digest('hex');
    expect(await hashStream(Readable.from(chunks), { ...options, path }, never)).toBe(expected);
    expect(readFileSync(path).equals(bytes)).toBe(true);
    rmSync(directory, { recursive: true });
  });

  it('takes a body that ends early, or late, for a failure of the store', async () => {
    for (const body of [bytes.subarray(1), Buffer.concat([bytes, bytes])]) {
      await expect(hashStream(Readable.from([body]), options, never)).rejects.toMatchObject({
        code: 'storage_unavailable',
      });
    }
  });

  it('does not wait for ever for the next bytes', async () => {
    const stalled = new PassThrough();
    stalled.write(bytes.subarray(0, 3));
    await expect(hashStream(stalled, { ...options, idleMs: 50 }, never)).rejects.toMatchObject({
      code: 'storage_unavailable',
    });
    expect(stalled.destroyed).toBe(true);
  });

  it('ends with the reason of whoever stops it', async () => {
    const reason = new Error('someone else has taken over');
    await expect(hashStream(new PassThrough(), options, AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});
