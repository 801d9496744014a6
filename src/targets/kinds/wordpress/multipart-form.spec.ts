import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { multipartForm } from './multipart-form.js';

const FILE = { field: 'file', fileName: 'latte.jpg', contentType: 'image/jpeg' };

describe('multipartForm', () => {
  it('is a form that other parsers can read, exactly as long as declared', async () => {
    const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, index) => index % 256));
    const form = multipartForm(
      { slug: 'cal-1', title: 'Käse &amp; Brot\n2' },
      { ...FILE, sizeBytes: bytes.length },
    );
    const body = await buffer(form.body(Readable.from([bytes.subarray(0, 10), bytes.subarray(10)])));
    expect(body.length).toBe(form.bytes);

    const read = await new Response(new Uint8Array(body), {
      headers: { 'content-type': form.contentType },
    }).formData();
    expect(read.get('slug')).toBe('cal-1');
    expect(read.get('title')).toBe('Käse &amp; Brot\n2');
    const file = read.get('file') as File;
    expect([file.name, file.type]).toEqual(['latte.jpg', 'image/jpeg']);
    expect(Buffer.from(await file.arrayBuffer()).equals(bytes)).toBe(true);
  });

  it('has an unpredictable boundary', () => {
    const types = [1, 2].map(() => multipartForm({}, { ...FILE, sizeBytes: 0 }).contentType);
    expect(types[0]).not.toBe(types[1]);
  });

  it('fails with its source, and closes it when nobody reads it', async () => {
    const form = multipartForm({}, { ...FILE, sizeBytes: 10 });
    const broken = new Readable({ read: () => broken.destroy(new Error('lost')) });
    await expect(buffer(form.body(broken))).rejects.toThrow('lost');

    const endless = new Readable({ read: () => void endless.push(Buffer.alloc(1_000)) });
    const body = form.body(endless);
    for await (const _chunk of body) if (endless.readableDidRead) break;
    await new Promise((resolve) => setImmediate(resolve));
    expect(endless.destroyed).toBe(true);
  });
});
