/**
 * Where Node is too old, downloads a supported one, once per clone, and runs the script again with it. The binary is a package of the npm
 * registry, so that it comes from wherever npm is configured to download from.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { exclusively } from './exclusively.mjs';
import { runNpm } from './npm.mjs';
import { Refusal, root, say, step } from './steps.mjs';

const OLDEST = [22, 18];
const MAJOR = 24;
const IS_WINDOWS = process.platform === 'win32';
const PACKAGE = `node-${IS_WINDOWS ? 'win' : process.platform}-${process.arch}`;
const FOLDER = join(root, '.cache', `${PACKAGE}-${MAJOR}`);
const NODE = join(FOLDER, 'node_modules', PACKAGE, 'bin', IS_WINDOWS ? 'node.exe' : 'node');

/** Returns if this Node is supported; otherwise it ends with the exit code of the other one. */
export async function useSupportedNode() {
  if (isSupported(process.versions.node)) return;
  if (!existsSync(NODE)) await exclusively(() => existsSync(NODE) || download());
  say(`Node ${process.versions.node} is too old, so Node ${MAJOR} from ${FOLDER} is used.`);
  process.exit(await runAgain());
}

function isSupported(version) {
  const [major, minor] = version.split('.').map(Number);
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}

async function download() {
  const next = `${FOLDER}.next`;
  rmSync(next, { recursive: true, force: true });
  mkdirSync(next, { recursive: true });
  await step(`Downloading Node ${MAJOR} from the npm registry (about 45 MB, once)`, () =>
    runNpm(
      ['install', '--no-save', '--no-package-lock', '--prefix', next, `${PACKAGE}@${MAJOR}`],
      'Node could not be downloaded.',
    ),
  ).catch((error) => {
    throw new Refusal(
      `This needs Node ${OLDEST.join('.')} or newer, but ${process.versions.node} is running. ${error.message}`,
    );
  });
  rmSync(FOLDER, { recursive: true, force: true });
  renameSync(next, FOLDER);
}

/** The programs that the script starts find the same Node first. */
function runAgain() {
  const env = { ...process.env, PATH: `${dirname(NODE)}${delimiter}${process.env.PATH ?? ''}` };
  const child = spawn(NODE, [...process.execArgv, ...process.argv.slice(1)], { env, stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 143)));
  });
}
