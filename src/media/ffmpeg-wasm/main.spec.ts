import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SRC = join(__dirname, '../..');
const PROGRAM = 'media/ffmpeg-wasm/main.ts';

const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'))
  .map((path) => ({ path, text: readFileSync(join(SRC, path), 'utf8') }));

/** What a file imports, statically or not, types included. */
const importsOf = (text: string): string[] =>
  [...text.matchAll(/(?:\bfrom|\bimport|\bresolve|\brequire)\s*\(?\s*'([^']+)'/g)].map(([, name]) => name!);

describe('The FFmpeg program, which is under the GPL', () => {
  const { text } = sources.find(({ path }) => path === PROGRAM)!;

  it('names its licence', () => {
    expect(text.slice(0, 1_500)).toContain('GNU General Public License');
  });

  it('imports nothing but FFmpeg and Node', () => {
    const imports = importsOf(text);
    expect(imports).toContain('@ffmpeg/core');
    expect(imports.filter((name) => !/^(node:|@ffmpeg\/core($|\/))/.test(name))).toEqual([]);
  });

  it('is the only one that loads FFmpeg, and is imported by none', () => {
    const linked = sources.filter(
      ({ path, text }) =>
        !path.startsWith('media/ffmpeg-wasm/') &&
        importsOf(text).some((name) => name.includes('@ffmpeg/') || name.includes('ffmpeg-wasm')),
    );
    expect(linked.map(({ path }) => path)).toEqual([]);
  });
});
