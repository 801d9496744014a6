import { Readable } from 'node:stream';
import { ArchiveSize } from './archive-size.rules.js';
import { StoredZipArchive } from './stored-zip-archive.js';

interface SizedEntry {
  readonly path: string;
  /** Null for a folder. */
  readonly sizeBytes: number | null;
}

function archiveSize(entries: readonly SizedEntry[]): number {
  const size = new ArchiveSize();
  const date = 0;
  let folder = '';
  for (const { path, sizeBytes } of entries) {
    if (sizeBytes === null) {
      folder = path;
      size.add({ path, date });
    } else {
      size.add({ name: path.slice(folder.length), date, sizeBytes, assetId: '', attempt: '' });
    }
  }
  return size.total;
}

/** The actual length of the archive of these entries. */
async function writtenSize(entries: readonly SizedEntry[]): Promise<number> {
  const archive = new StoredZipArchive();
  let length = 0;
  archive.on('data', (chunk: Buffer) => (length += chunk.length));
  const ended = new Promise((resolve, reject) => archive.once('end', resolve).once('error', reject));
  const date = new Date(Date.UTC(2026, 0, 1));
  for (const { path, sizeBytes } of entries) {
    if (sizeBytes === null) archive.append(Buffer.alloc(0), { name: path, date, type: 'directory' });
    else archive.append(zeros(sizeBytes), { name: path, date });
  }
  await archive.finalize();
  await ended;
  return length;
}

const ZEROS = Buffer.alloc(1 << 20);

function zeros(size: number): Readable {
  let left = size;
  return new Readable({
    read() {
      const chunk = ZEROS.subarray(0, Math.min(left, ZEROS.length));
      left -= chunk.length;
      this.push(chunk.length > 0 ? chunk : null);
    },
  });
}

describe('archiveSize', () => {
  it.each<[string, SizedEntry[]]>([
    ['nothing', []],
    ['an empty folder', [{ path: 'A/', sizeBytes: null }]],
    ['an empty file', [{ path: 'A/x', sizeBytes: 0 }]],
    [
      'folders and files with names of one to four bytes a character',
      [
        { path: 'Été/', sizeBytes: null },
        { path: 'Été/東京.jpg', sizeBytes: 12_345 },
        { path: 'Été/🍞.heic', sizeBytes: 1 },
        { path: `Été/${'x'.repeat(255)}`, sizeBytes: 2 ** 21 + 1 },
      ],
    ],
    [
      'exactly as many entries as 16 bits count',
      Array.from({ length: 65_535 }, (_, index) => ({ path: `${index}/`, sizeBytes: null })),
    ],
    [
      'one entry more',
      Array.from({ length: 65_536 }, (_, index) => ({ path: `${index}/`, sizeBytes: null })),
    ],
  ])('is the length of %s', async (_what, entries) => {
    expect(archiveSize(entries)).toBe(await writtenSize(entries));
  });

  const GB = 1024 ** 3;

  describe('beyond 32 bits', () => {
    const MAX_32 = 0xffff_ffff;
    const END = 22;
    const END_ZIP64 = 76;
    /** Local header, content, descriptor and central header of a file whose name is one byte. */
    const file = (sizeBytes: number) => 31 + sizeBytes + 16 + 47;
    /** Larger sizes and an offset, in the central header. */
    const EXTRA = 28;
    const DESCRIPTOR_EXTRA = 8;
    const sizeOf = (...sizes: number[]) => archiveSize(sizes.map((sizeBytes) => ({ path: 'x', sizeBytes })));

    it('has a larger end record as soon as the central directory begins there', () => {
      const last = MAX_32 - 31 - 16;
      expect(sizeOf(last)).toBe(file(last) + END);
      expect(sizeOf(last + 1)).toBe(file(last + 1) + END_ZIP64 + END);
    });

    it('has a larger central header for each file that begins there, and only for those', () => {
      const before = MAX_32 - 31 - 16;
      expect(sizeOf(before, 5, 5)).toBe(file(before) + 2 * file(5) + EXTRA + END_ZIP64 + END);
      expect(sizeOf(before + 1, 5, 5)).toBe(file(before + 1) + 2 * (file(5) + EXTRA) + END_ZIP64 + END);
    });

    it('has a larger central header and descriptor for a file that is larger', () => {
      expect(sizeOf(MAX_32)).toBe(file(MAX_32) + END_ZIP64 + END);
      const large = MAX_32 + 1;
      expect(sizeOf(large)).toBe(file(large) + DESCRIPTOR_EXTRA + EXTRA + END_ZIP64 + END);
    });
  });

  const big: [string, SizedEntry[]][] = [
    ['a file of 4 GiB less one byte', [{ path: 'a', sizeBytes: 4 * GB - 1 }]],
    [
      'a file of 4 GiB, and one after it',
      [
        { path: 'a', sizeBytes: 4 * GB },
        { path: 'b', sizeBytes: 10 },
        { path: 'c/', sizeBytes: null },
      ],
    ],
    [
      'files on both sides of the offset of 4 GiB less one byte',
      [
        { path: 'a', sizeBytes: 4 * GB - 1 - 31 - 16 },
        { path: 'b', sizeBytes: 5 },
        { path: 'c', sizeBytes: 5 },
      ],
    ],
    [
      'files that pass 4 GiB together',
      Array.from({ length: 5 }, (_, index) => ({ path: `${index}`, sizeBytes: GB })),
    ],
  ];
  // Gigabytes of zeros: `npm run test:big`.
  const others: typeof big = process.env['BIG']
    ? big
    : [['a file of one byte', [{ path: 'a', sizeBytes: 1 }]]];
  it.each(others)(
    'is the length of %s',
    async (_what, entries) => {
      expect(archiveSize(entries)).toBe(await writtenSize(entries));
    },
    600_000,
  );
});
