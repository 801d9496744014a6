import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import type { ByteRange } from '../storage/storage.service.js';
import type { ArchiveEntry } from './archive-plan.js';
import { archiveStream } from './archive-stream.js';

jest.mock('crc-32', () => ({
  buf: () => {
    throw new Error('The checksum was computed in JavaScript.');
  },
}));

const MB = 1024 * 1024;
const IDLE_MS = 60_000;

interface Opened {
  readonly range: ByteRange | undefined;
  readonly stream: Readable;
}

/** A store that sends each range after a random delay and records what was opened. */
class FakeStore {
  readonly files = new Map<string, Buffer>();
  readonly opened: Opened[] = [];
  content = (bytes: Buffer): Readable => Readable.from(chunksOf(bytes), { objectMode: false });

  readonly open = async (key: string, range: ByteRange | undefined, signal: AbortSignal) => {
    await delay(Math.random() * 5, undefined, { signal });
    const bytes = this.files.get(key);
    if (bytes === undefined) return null;
    const stream = this.content(range ? bytes.subarray(range.start, range.end + 1) : bytes);
    this.opened.push({ range, stream });
    return stream;
  };

  /** Each entry has a different byte value, so that a mix-up is noticed. */
  add(...sizes: number[]): ArchiveEntry[] {
    return sizes.map((sizeBytes, index) => {
      this.files.set(`${index}`, Buffer.alloc(sizeBytes, index + 1));
      return { path: `${index}.jpg`, date: new Date(0), file: { key: `${index}`, sizeBytes } };
    });
  }

  archive(entries: readonly ArchiveEntry[], idleMs = IDLE_MS): Readable {
    return archiveStream(Readable.from(entries), { open: this.open, idleMs });
  }
}

function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += 65_536) yield bytes.subarray(start, start + 65_536);
}

/** Waits until the store has been idle for a while. */
async function settled(store: FakeStore): Promise<void> {
  for (let count = -1; count !== store.opened.length; await delay(200)) count = store.opened.length;
}

let store: FakeStore;
describe('archiveStream', () => {
  beforeEach(() => (store = new FakeStore()));

  it('contains every file in order, with checksums computed by Node', async () => {
    const entries = store.add(10, 0, 5 * MB + 5, MB, 70_000, ...Array<number>(40).fill(1_000));
    const archive = await buffer(store.archive(entries));
    let offset = 0;
    for (const [key, bytes] of store.files) {
      offset += 30 + `${key}.jpg`.length;
      expect(archive.subarray(offset, offset + bytes.length).equals(bytes)).toBe(true);
      offset += bytes.length;
      expect(archive.readUInt32LE(offset)).toBe(0x08074b50);
      expect(archive.readUInt32LE(offset + 4)).toBe(crc32(bytes));
      expect(archive.readUInt32LE(offset + 8)).toBe(bytes.length);
      offset += 16;
    }
  });

  it.each([
    ['small', Array<number>(1_000).fill(20_000)],
    ['large', Array<number>(3).fill(40 * MB)],
  ])(
    'reads %s files ahead within bounds, and keeps no file open while the caller waits',
    async (_, sizes) => {
      const archive = store.archive(store.add(...sizes));
      await settled(store);
      const whole = sizes[0]!;
      const bytes = store.opened.reduce(
        (sum, { range }) => sum + (range ? range.end - range.start + 1 : whole),
        0,
      );
      expect(store.opened.length).toBeGreaterThan(1);
      expect(bytes).toBeLessThan(16 * MB);
      expect(store.opened.every(({ stream }) => stream.destroyed)).toBe(true);
      archive.destroy();
    },
  );

  it('closes everything it reads when the caller disconnects', async () => {
    store.content = () => new Readable({ read: () => undefined });
    const archive = store.archive(store.add(...Array<number>(10).fill(1_000)));
    await settled(store);
    expect(store.opened).toHaveLength(10);
    expect(store.opened.some(({ stream }) => stream.destroyed)).toBe(false);
    archive.destroy();
    await delay(20);
    expect(store.opened.every(({ stream }) => stream.destroyed)).toBe(true);
  });

  it('closes what it has read ahead when a file fails', async () => {
    const entries = store.add(...Array<number>(10).fill(1_000));
    const content = store.content;
    store.content = (bytes) => (bytes[0] === 3 ? new Readable({ read: () => undefined }) : content(bytes));
    store.files.delete('1');
    await expect(buffer(store.archive(entries))).rejects.toThrow('A stored file is missing.');
    await delay(20);
    expect(store.opened.every(({ stream }) => stream.destroyed)).toBe(true);
  });

  it('fails when the store stops sending', async () => {
    const entries = store.add(10, 1_000);
    const content = store.content;
    store.content = (bytes) =>
      bytes.length === 10 ? content(bytes) : new Readable({ read: () => undefined });
    await expect(buffer(store.archive(entries, 100))).rejects.toThrow(
      'The object store stopped sending data.',
    );
  });

  it.each([
    ['shorter', 1_000, -1],
    ['longer', 1_000, 1],
    ['shorter', 5 * MB + 5, -1],
    ['longer', 5 * MB + 5, 1],
    ['longer', 4 * MB, 1],
  ])('fails when a file is %s than its record of %d bytes', async (_how, size, difference) => {
    const entries = store.add(10, size, 10);
    store.files.set('1', Buffer.alloc(size + difference));
    await expect(buffer(store.archive(entries))).rejects.toThrow('does not match its record');
  });

  it('stops reading a file from a store that ignores the range', async () => {
    const chunk = Buffer.alloc(MB);
    let sent = 0;
    function* chunks() {
      for (; sent < 500; sent++) yield chunk;
    }
    store.content = () => Readable.from(chunks());
    await expect(buffer(store.archive(store.add(MB + 1)))).rejects.toThrow('does not match its record');
    expect(sent).toBeLessThan(50);
  });
});
