import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { preProcessFile } from 'typescript';

/** From the bottom to the top. A folder, or a file at the top of `web/src`, only imports from layers below its own. */
const LAYERS = [
  // What the browser offers; every text.
  ['browser', 'i18n'],
  // Requests, and the user they are made for.
  ['api'],
  // Controls that know nothing of the library.
  ['ui'],
  // Whose library a page shows.
  ['scope'],
  // The library's URL, queries, cache, folder tree and selection; its live updates.
  ['events', 'library'],
  ['missing', 'sign-in', 'trash', 'usages'],
  ['upload'],
  // The frame, which pages fill; the folders; the operators' pages.
  ['admin', 'folders', 'shell'],
  ['assets', 'picker', 'profile'],
  ['router'],
  ['main'],
];

const layerOf = new Map(LAYERS.flatMap((units, layer) => units.map((unit) => [unit, layer] as const)));

/** The folder below `web/src`, or the file at its top without its extension. */
function unitOf(path: string): string {
  return relative(__dirname, path)
    .split(sep)[0]!
    .replace(/\.tsx?$/, '');
}

function importsOf(file: string) {
  return preProcessFile(readFileSync(file, 'utf8'))
    .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName }) => ({
      file: relative(__dirname, file),
      from: unitOf(file),
      to: unitOf(join(dirname(file), fileName)),
    }))
    .filter(({ from, to }) => from !== to);
}

describe('The layers of the pages', () => {
  const files = readdirSync(__dirname, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.spec\.ts$/.test(file))
    .map((file) => join(__dirname, file));

  it('contain every folder and every file at the top of web/src, once', () => {
    expect([...new Set(files.map(unitOf))].toSorted()).toEqual(LAYERS.flat().toSorted());
  });

  it('import only from layers below', () => {
    const upward = files
      .flatMap(importsOf)
      .filter(({ from, to }) => !(layerOf.get(to)! < layerOf.get(from)!));
    expect(upward.map(({ file, to }) => `${file} imports ${to}`)).toEqual([]);
  });
});
