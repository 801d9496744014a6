import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { collectStream, firstBytes, hashStream } from './hash-stream.js';

/** Far more than anybody expects; `sent` counts the chunks that were read. */
function overlong(chunk: Buffer) {
  const counted = { sent: 0 };
  function* chunks() {
    for (; counted.sent < 1_000; counted.sent++) yield chunk;
  }
  return { counted, source: Readable.from(chunks(), { highWaterMark: 1 }) };
}

describe('hashStream', () => {
  const bytes = Buffer.from('some bytes of a file');
  const options = { sizeBytes: bytes.length, path: null, idleMs: 5_000 };
  const never = new AbortController().signal;

  it('returns the checksum, and stores the bytes in the given file', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'hash-stream-'));
    const path = join(directory, 'file');
    const chunks = [bytes.subarray(0, 7), bytes.subarray(7)];
    const expected = createHash('sha256').update(bytes).digest('hex');
    expect(await hashStream(Readable.from(chunks), { ...options, path }, never)).toBe(expected);
    expect(readFileSync(path).equals(bytes)).toBe(true);
    rmSync(directory, { recursive: true });
  });

  it('treats a body that ends early or late as a failure of the store', async () => {
    for (const body of [bytes.subarray(1), Buffer.concat([bytes, bytes])]) {
      await expect(hashStream(Readable.from([body]), options, never)).rejects.toMatchObject({
        code: 'storage_unavailable',
      });
    }
  });

  it('does not wait forever for the next bytes', async () => {
    const stalled = new PassThrough();
    stalled.write(bytes.subarray(0, 3));
    await expect(hashStream(stalled, { ...options, idleMs: 50 }, never)).rejects.toMatchObject({
      code: 'storage_unavailable',
    });
    expect(stalled.destroyed).toBe(true);
  });

  it('ends with the reason of the abort signal', async () => {
    const reason = new Error('someone else has taken over');
    await expect(hashStream(new PassThrough(), options, AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});

describe('collectStream', () => {
  const bytes = Buffer.from('some bytes of a file');
  const anything = { bytes: 4, check: () => undefined };
  const options = { sizeBytes: bytes.length, idleMs: 5_000, head: anything };
  const chunks = () => [bytes.subarray(0, 3), bytes.subarray(3, 9), bytes.subarray(9)];

  it('returns the bytes and their checksum', async () => {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(await collectStream(Readable.from(chunks()), options)).toEqual({ bytes, sha256 });
    const nothing = await collectStream(Readable.from([]), { ...options, sizeBytes: 0 });
    expect(nothing.bytes).toHaveLength(0);
  });

  it('shows the first bytes before it reads the rest, and stops when they are rejected', async () => {
    const source = new PassThrough();
    source.write(bytes.subarray(0, 3));
    source.write(bytes.subarray(3, 6));
    const seen: string[] = [];
    const refusal = new Error('not a picture');
    const check = (head: Buffer) => {
      seen.push(head.toString());
      throw refusal;
    };
    const collected = collectStream(source, { ...options, head: { bytes: 4, check } });
    await expect(collected).rejects.toBe(refusal);
    expect(seen).toEqual(['some']);
    expect(source.destroyed).toBe(true);
  });

  it('shows all of a shorter file, also an empty one', async () => {
    const seen: number[] = [];
    const head = { bytes: 100, check: ({ length }: Buffer) => void seen.push(length) };
    await collectStream(Readable.from(chunks()), { ...options, head });
    await collectStream(Readable.from([]), { ...options, sizeBytes: 0, head });
    expect(seen).toEqual([bytes.length, 0]);
  });

  it('treats a body that ends early, late or never as a failure of the store', async () => {
    const stalled = new PassThrough();
    stalled.write(bytes.subarray(0, 3));
    for (const source of [Readable.from([bytes.subarray(1)]), Readable.from([bytes, bytes]), stalled]) {
      const collected = collectStream(source, { ...options, idleMs: 50 });
      await expect(collected).rejects.toMatchObject({ code: 'storage_unavailable' });
    }
    expect(stalled.destroyed).toBe(true);
  });

  it('stops reading a body that is longer than expected', async () => {
    const { source, counted } = overlong(bytes);
    await expect(collectStream(source, options)).rejects.toMatchObject({ code: 'storage_unavailable' });
    expect(counted.sent).toBeLessThan(10);
  });

  it('ends with the reason of the abort signal', async () => {
    const reason = new Error('someone else has taken over');
    await expect(collectStream(new PassThrough(), options, AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});

describe('firstBytes', () => {
  it('reads no more than requested', async () => {
    const source = Readable.from([Buffer.from('abc'), Buffer.from('def'), Buffer.from('ghi')]);
    expect((await firstBytes(source, 4, 1_000)).toString()).toBe('abcd');
    expect(source.destroyed).toBe(true);
    expect((await firstBytes(Readable.from([]), 4, 1_000)).length).toBe(0);
  });

  it('stops reading from a store that ignores the range', async () => {
    const { source, counted } = overlong(Buffer.from('abc'));
    expect((await firstBytes(source, 4, 1_000)).toString()).toBe('abca');
    expect(counted.sent).toBeLessThan(10);
  });

  it('does not wait forever', async () => {
    const stalled = firstBytes(new PassThrough(), 4, 50);
    await expect(stalled).rejects.toMatchObject({ code: 'storage_unavailable' });
  });
});
