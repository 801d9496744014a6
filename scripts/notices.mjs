/**
 * `npm run notices`: writes THIRD_PARTY_NOTICES.md from package-lock.json. With `--check` it only says whether the file is current. Fails on a
 * package whose licence nobody has allowed here.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, say } from './support/steps.mjs';

const FILE = join(root, 'THIRD_PARTY_NOTICES.md');

/** Licences that ask for no more than naming the authors, or that cover single files only (MPL). */
const ALLOWED = new Set(
  '0BSD Apache-2.0 BlueOak-1.0.0 BSD-2-Clause BSD-3-Clause CC-BY-4.0 CC0-1.0 ISC MIT MPL-2.0 OFL-1.1 Python-2.0 Unlicense Zlib'.split(
    ' ',
  ),
);

/** Others, each with the reason why this package may be used. */
const EXCEPTIONS = [
  {
    name: /^@ffmpeg\/core$/,
    licence: 'GPL-2.0-or-later',
    reason: 'runs as a program of its own, [src/media/ffmpeg-wasm/main.ts](src/media/ffmpeg-wasm/main.ts)',
  },
  { name: /^libheif-js$/, licence: 'LGPL-3.0', reason: 'a library in files of its own, unchanged' },
  {
    name: /^@img\/sharp-/,
    licence: 'LGPL-3.0-or-later',
    reason: 'libvips, a library in files of its own, unchanged',
  },
];

/** Their package.json says nothing that npm understands; their own files do. */
const UNDECLARED = {
  '@react-aria/optimize-locales-plugin': 'Apache-2.0',
  busboy: 'MIT',
  'passport-strategy': 'MIT',
  pause: 'MIT',
  streamsearch: 'MIT',
};

const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
const nameOf = (path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
const licenceOf = (path) => packages[path].license ?? UNDECLARED[nameOf(path)] ?? '(none)';

function isAllowed(name, licence) {
  const isFine = (one) =>
    ALLOWED.has(one) ||
    EXCEPTIONS.some((exception) => exception.name.test(name) && exception.licence === one);
  return licence
    .replace(/^\((.*)\)$/, '$1')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every(isFine));
}

/** Where Node finds a package: in the `node_modules` of the folder that asks for it, or of one above it. */
function find(from, name) {
  for (const parts = from.split('/'); ; parts.pop()) {
    const path = [...parts, 'node_modules', name].filter(Boolean).join('/');
    if (packages[path]) return path;
    if (parts.length === 0) return null;
  }
}

/** All that a package of ours needs to run. */
function needsOf(start, known = new Set()) {
  const { dependencies, optionalDependencies, peerDependencies } = packages[start];
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
    const path = find(start, name);
    if (path === null || known.has(path)) continue;
    known.add(path);
    needsOf(packages[path].link ? packages[path].resolved : path, known);
  }
  return known;
}

function table(paths) {
  const rows = new Map();
  for (const path of paths) {
    if (packages[path].link) continue;
    rows.set(`${nameOf(path)} ${packages[path].version}`, [
      nameOf(path),
      packages[path].version,
      licenceOf(path),
    ]);
  }
  const sorted = [['Package', 'Version', 'Licence'], ...[...rows].sort(byKey).map(([, row]) => row)];
  const widths = [0, 1, 2].map((column) => Math.max(...sorted.map((row) => row[column].length)));
  const line = (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [line(sorted[0]), rule, ...sorted.slice(1).map(line)].join('\n');
}

const byKey = ([one], [other]) => (one < other ? -1 : 1);

const shown = ({ source }) => source.replace(/-$/, '-*').replace(/[\\^$]/g, '');

function notices() {
  const service = needsOf('');
  const embedded = new Set(
    ['packages/embedded-postgres', 'packages/embedded-s3'].flatMap((path) => [...needsOf(path)]),
  );
  return `# Third-party notices

Written by \`npm run notices\` from package-lock.json; do not edit. The text of each licence comes with its package, in \`node_modules\`. The pages
contain further packages and the font Inter (OFL-1.1): their build writes the packages, with the texts of their licences, to \`/licenses.md\`.

Some licences ask for more than naming the authors:

${EXCEPTIONS.map(({ name, licence, reason }) => `- \`${shown(name)}\` (${licence}): ${reason}`).join('\n')}

## The service

${table(service)}

## The embedded Postgres

Not part of a production install.

${table([...embedded].filter((path) => !service.has(path)))}
`;
}

const refused = Object.keys(packages)
  .filter((path) => path.includes('node_modules/') && !packages[path].link)
  .filter((path) => !isAllowed(nameOf(path), licenceOf(path)))
  .map((path) => `${nameOf(path)} ${packages[path].version}: ${licenceOf(path)}`);
if (refused.length > 0) {
  say(`These licences are not allowed (see scripts/notices.mjs):\n  ${[...new Set(refused)].join('\n  ')}`);
  process.exitCode = 1;
} else if (!process.argv.includes('--check')) writeFileSync(FILE, notices());
else if (readFileSync(FILE, 'utf8') !== notices()) {
  say('THIRD_PARTY_NOTICES.md is not current. Run `npm run notices`.');
  process.exitCode = 1;
}
