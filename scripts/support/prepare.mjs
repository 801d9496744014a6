/** Prepares a clone to run: finds a supported Node, installs packages and builds. Only does what is missing. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { exclusively, involve } from './exclusively.mjs';
import { runNpm } from './npm.mjs';
import { capture, Refusal, root, step } from './steps.mjs';
import { useSupportedNode } from './supported-node.mjs';

/** Names the machine that the packages were installed for, because some contain programs. */
const INSTALL_STAMP = join(root, 'node_modules', '.installed-for');
const MACHINE = [process.versions.modules, process.platform, process.arch].join(' ');
const BUILD_STAMP = join(root, 'dist', '.built');
const PACKAGES = ['embedded-s3', 'embedded-postgres'].map((name) => join('packages', name));
const WEB_STAMP = join(root, 'web', 'dist', '.built');

export async function prepare() {
  await useSupportedNode();
  if (isInstalled() && isBuilt() && areWebPagesBuilt()) return;
  await exclusively(async () => {
    const isBuildMissing = !isBuilt() || !areWebPagesBuilt();
    const steps = [!isInstalled() && install, isBuildMissing && buildAll].filter(Boolean);
    for (const [index, run] of steps.entries()) await run(`[${index + 1}/${steps.length}]`);
  });
}

function isInstalled() {
  if (!isListComplete()) return false;
  if (existsSync(INSTALL_STAMP)) return read(INSTALL_STAMP) === MACHINE;
  try {
    writeFileSync(INSTALL_STAMP, MACHINE);
  } catch {
    // The packages are read-only.
  }
  return true;
}

/** npm writes its own list last, so a list equal to the lock file means a complete install. */
function isListComplete() {
  const list = read(join(root, 'node_modules', '.package-lock.json'));
  if (list === '') return false;
  const found = JSON.parse(list).packages;
  const wanted = JSON.parse(read(join(root, 'package-lock.json'))).packages;
  return Object.entries(wanted).every(
    ([path, { version, optional, devOptional }]) =>
      // Workspaces are linked, not installed.
      !path.includes('node_modules/') ||
      (found[path] !== undefined && found[path].version === version) ||
      ((optional || devOptional) && !found[path]),
  );
}

async function install(number) {
  await step(`${number} Downloading packages from the npm registry (about 230 MB, once)`, async () => {
    rmSync(INSTALL_STAMP, { force: true });
    await runNpm(['ci', '--include=dev'], 'The packages could not be installed.');
    writeFileSync(INSTALL_STAMP, MACHINE);
  });
}

function buildHash() {
  const sources = [
    'ormconfig.ts',
    'tsconfig.json',
    'nest-cli.json',
    'package-lock.json',
    'packages/tsconfig.json',
    ...PACKAGES.flatMap((path) => [join(path, 'package.json'), join(path, 'tsconfig.json')]),
  ].filter((path) => existsSync(join(root, path)));
  for (const folder of ['src', ...PACKAGES.map((path) => join(path, 'src'))])
    sources.push(...listFiles(join(root, folder), (path) => !path.endsWith('.spec.ts')));
  return hash(...sources.sort().flatMap((path) => [path, readFileSync(join(root, path))]));
}

/** Paths of files below a folder, relative to the root. */
function listFiles(folder, isWanted = () => true) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
    .filter(isWanted);
}

function isBuilt() {
  const arePackagesBuilt = PACKAGES.every((path) => existsSync(join(root, path, 'dist', 'index.js')));
  return arePackagesBuilt && existsSync(BUILD_STAMP) && read(BUILD_STAMP) === buildHash();
}

/** Builds service and pages in parallel: each uses one core. */
async function buildAll(number) {
  await step(`${number} Building (sources are new or have changed)`, () =>
    Promise.all([!isBuilt() && build(), !areWebPagesBuilt() && buildWebPages()]),
  );
}

async function build() {
  // Built in a separate directory and then swapped: an interrupted build is never run, and a running server keeps its files. The directory
  // has the same depth as dist, so that source maps still point to the sources.
  const next = join(root, 'dist.next');
  const old = join(root, 'dist.old');
  const config = join(root, '.cache', 'tsconfig.build.json');
  rmSync(next, { recursive: true, force: true });
  mkdirSync(join(root, '.cache'), { recursive: true });
  // `npm run check` checks the types, which takes as long as the rest of the build.
  const compilerOptions = { outDir: '../dist.next', noCheck: true };
  writeFileSync(config, JSON.stringify({ extends: '../tsconfig.json', compilerOptions }));
  const wanted = buildHash();
  await buildPackages();
  const nest = join(root, 'node_modules', '@nestjs', 'cli', 'bin', 'nest.js');
  const { code, output } = await capture(
    process.execPath,
    [nest, 'build', '-p', '.cache/tsconfig.build.json'],
    {
      onStart: involve,
    },
  );
  if (code !== 0) throw new Refusal(`The sources do not build:\n${output}`);
  writeFileSync(join(next, '.built'), wanted);
  exchange(next, join(root, 'dist'), old);
}

/** First, because the service is compiled against their types. */
async function buildPackages() {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const { code, output } = await capture(process.execPath, [tsc, '--build', ...PACKAGES], {
    onStart: involve,
  });
  if (code !== 0) throw new Refusal(`The packages do not build:\n${output}`);
}

function exchange(next, current, old) {
  rmSync(old, { recursive: true, force: true });
  if (existsSync(current)) renameSync(current, old);
  renameSync(next, current);
  rmSync(old, { recursive: true, force: true });
}

function webHash() {
  const settings = readdirSync(join(root, 'web'), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => join('web', name));
  const folders = ['src', 'build', 'public']
    .map((name) => join(root, 'web', name))
    .filter((path) => existsSync(path));
  const sources = [...settings, ...folders.flatMap((folder) => listFiles(folder)), 'package-lock.json'];
  return hash(...sources.sort().flatMap((path) => [path, readFileSync(join(root, path))]));
}

/** Without their sources, only the API is served. */
function areWebPagesBuilt() {
  if (!existsSync(join(root, 'web', 'package.json'))) return true;
  return existsSync(WEB_STAMP) && read(WEB_STAMP) === webHash();
}

async function buildWebPages() {
  const web = join(root, 'web');
  const next = join(web, 'dist.next');
  const wanted = webHash();
  rmSync(next, { recursive: true, force: true });
  const vite = join(
    createRequire(join(web, 'package.json')).resolve('vite/package.json'),
    '..',
    'bin',
    'vite.js',
  );
  const { code, output } = await capture(
    process.execPath,
    [vite, 'build', web, '--outDir', next, '--emptyOutDir'],
    {
      onStart: involve,
    },
  );
  if (code !== 0) throw new Refusal(`The pages do not build:\n${output}`);
  writeFileSync(join(next, '.built'), wanted);
  exchange(next, join(web, 'dist'), join(web, 'dist.old'));
}

function hash(...parts) {
  const sum = createHash('sha256');
  for (const part of parts) sum.update(String(part.length)).update('\n').update(part);
  return sum.digest('hex');
}

function read(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}
