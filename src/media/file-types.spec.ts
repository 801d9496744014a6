import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  FILE_TYPES,
  fileType,
  isSupported,
  normalizedType,
  SUPPORTED_TYPES,
  withoutMediaExtension,
} from './file-types.js';

const ROOT = join(__dirname, '../..');

/** Where a type may be named, and why. Everything else asks the table, so that another type is another entry. */
const NAMED_IN = [
  // The tables of the service and of the pages.
  'src/media/file-types.ts',
  'web/src/api/file-types.ts',
  // What each platform accepts.
  'src/fitness/*.ts',
  // The types of the samples.
  'src/embedded/samples/*.ts',
  'src/embedded/samples.ts',
];

describe('The table of file types', () => {
  it('contains exactly the types of the specification', () => {
    expect(SUPPORTED_TYPES).toEqual(['image/jpeg', 'image/png', 'image/webp', 'image/heic', 'video/mp4']);
    for (const type of ['image/gif', 'image/svg+xml', 'image/avif', 'image/heif', '', 'constructor'])
      expect(isSupported(type)).toBe(false);
  });

  it('is the only place that names them', () => {
    const allowed = globSync(NAMED_IN, { cwd: ROOT });
    const sources = globSync(['src/**/*.ts', 'web/src/**/*.{ts,tsx}'], {
      cwd: ROOT,
      exclude: ['**/*.spec.*', '**/schema.d.ts', 'web/src/test/**'],
    }).filter((path) => !allowed.includes(path));
    expect(sources.length).toBeGreaterThan(500);
    const literal = new RegExp(`['"\`](${SUPPORTED_TYPES.join('|')})['"\`]`);
    const naming = sources.filter((path) =>
      literal.test(withoutComments(readFileSync(join(ROOT, path), 'utf8'))),
    );
    expect(naming).toEqual([]);
  });

  it('has no extension, brand or signature twice', () => {
    const types = Object.values(FILE_TYPES);
    const marks = types.flatMap(({ extensions, signature }) => [
      ...extensions,
      ...('brands' in signature ? signature.brands.split(' ').map((brand) => `brand ${brand}`) : []),
      ...('bytes' in signature ? [JSON.stringify(signature.bytes)] : []),
    ]);
    expect(new Set(marks).size).toBe(marks.length);
  });

  it('says which types browsers can show', () => {
    expect(SUPPORTED_TYPES.filter((type) => !fileType(type).isShownByBrowsers)).toEqual(['image/heic']);
  });
});

describe('A declared type', () => {
  it.each([
    ['image/heif', 'a.HEIC', 'image/heic'],
    ['image/heif', ' a.hif ', 'image/heic'],
    ['image/heif', 'a.jpg', 'image/heif'],
    ['image/png', 'a.heic', 'image/png'],
    ['text/plain', 'a', 'text/plain'],
  ])('%s of %s means %s', (declared, filename, type) => {
    expect(normalizedType(declared, filename)).toBe(type);
  });
});

describe('A file name without its extension', () => {
  it.each([
    ['a.JPG', 'a'],
    ['a.mov', 'a'],
    ['.jpg', '.jpg'],
    ['..png', '..png'],
    ['a.txt', 'a.txt'],
    ['a.png.hif', 'a.png'],
  ])('of %s is %s', (filename, expected) => {
    expect(withoutMediaExtension(filename)).toBe(expected);
  });
});

function withoutComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}
