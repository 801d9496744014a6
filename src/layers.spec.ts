import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { preProcessFile } from 'typescript';

/** From the bottom to the top. A folder, or a file at the top of `src`, only imports from layers below its own. */
const LAYERS = [
  ['config'],
  ['common'],
  ['mail', 'media', 'outbound', 'secrets'],
  ['database'],
  ['access', 'jobs'],
  ['audit', 'fitness', 'storage', 'trash-batches', 'usages'],
  ['folders'],
  ['assets', 'clients'],
  ['archives', 'preview', 'targets', 'users'],
  ['deliveries'],
  ['auth'],
  ['agents', 'events', 'pages', 'sweeper', 'trash', 'uploads'],
  ['diagnostics'],
  ['app.module', 'openapi'],
  ['app.setup'],
  ['cli', 'embedded', 'process'],
  ['main', 'worker'],
];

/** Our own store, and the kind of target that is somebody else's. */
const MAY_IMPORT_AWS = ['storage', 'targets/kinds/s3'];

interface Edge {
  readonly from: string;
  readonly to: string;
}

interface Import extends Edge {
  readonly file: string;
  readonly target: string;
}

const layerOf = new Map(LAYERS.flatMap((units, layer) => units.map((unit) => [unit, layer] as const)));

/** The folder below `src`, or the file at its top without its extension. */
function unitOf(path: string): string {
  return relative(__dirname, path)
    .split(sep)[0]!
    .replace(/\.(ts|js)$/, '');
}

function importsOf(file: string): Import[] {
  return preProcessFile(readFileSync(file, 'utf8'))
    .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName }) => join(dirname(file), fileName))
    .filter((target) => !relative(__dirname, target).startsWith('..'))
    .map((target) => ({
      from: unitOf(file),
      to: unitOf(target),
      file: relative(__dirname, file),
      target: relative(__dirname, target).replace(/\.js$/, '.ts'),
    }));
}

/** One cycle as a list, or null. */
function findCircle(imports: readonly Edge[]): string[] | null {
  const targets = new Map<string, Set<string>>();
  for (const { from, to } of imports) targets.set(from, (targets.get(from) ?? new Set()).add(to));
  const finished = new Set<string>();
  const visit = (one: string, path: readonly string[]): string[] | null => {
    if (path.includes(one)) return [...path.slice(path.indexOf(one)), one];
    if (finished.has(one)) return null;
    for (const next of targets.get(one) ?? []) {
      const circle = visit(next, [...path, one]);
      if (circle) return circle;
    }
    finished.add(one);
    return null;
  };
  for (const one of targets.keys()) {
    const circle = visit(one, []);
    if (circle) return circle;
  }
  return null;
}

/** The layers as docs/architecture.md draws them: one line each, the top one first. */
function drawnLayers(): string[][] {
  const page = readFileSync(join(__dirname, '../docs/architecture.md'), 'utf8');
  const drawing = /^## Layers$.*?^```text\n(.*?)^```$/ms.exec(page)?.[1] ?? '';
  const lines = drawing.split('\n').map((line) => line.replace(/^[│┌├└─┐┤┘ ]+|[│ ]+$/g, ''));
  return lines.flatMap((line) => (line === '' ? [] : [line.split(/\s{2,}/)[0]!.split(' · ')])).reverse();
}

describe('the layers of src', () => {
  const files = readdirSync(__dirname, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/^\w+\.spec\.ts$/.test(file))
    .map((file) => join(__dirname, file));
  const imports = files.flatMap(importsOf);
  const between = imports.filter(({ from, to }) => from !== to);

  it('contain every folder and every file at the top of src, once', () => {
    const found = [...new Set(files.map(unitOf))];
    expect(found.toSorted()).toEqual(LAYERS.flat().toSorted());
  });

  it('have no import cycles', () => {
    expect(findCircle(between)).toBeNull();
  });

  it('have no import cycles between files, not even of types', () => {
    expect(findCircle(imports.map(({ file, target }) => ({ from: file, to: target })))).toBeNull();
  });

  it('import only from layers below', () => {
    const upward = between.filter(({ from, to }) => !(layerOf.get(to)! < layerOf.get(from)!));
    expect(upward.map(({ file, to }) => `${file} imports ${to}`)).toEqual([]);
  });

  it('leave the AWS SDK to the two rooms that talk to an object store', () => {
    const users = files
      .filter((file) => /from '@aws-sdk\//.test(readFileSync(file, 'utf8')))
      .map((file) => relative(__dirname, dirname(file)).split(sep).join('/'));
    const others = users.filter(
      (folder) => !MAY_IMPORT_AWS.some((room) => `${folder}/`.startsWith(`${room}/`)),
    );
    expect(users).toContain('storage');
    expect(others).toEqual([]);
  });

  it('are drawn in docs/architecture.md', () => {
    expect(drawnLayers()).toEqual(LAYERS);
  });
});
