/** Finds a Chromium for the tests that need one, and installs it if there is none. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { capture, Refusal, root, say, step } from './steps.mjs';

/** The headless shell comes first: pages take half the CPU time in it. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];
const PLACES = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'];
const HELP = 'Install Chromium or Chrome, or set CHROMIUM_PATH to one.';

/** The path of the browser. */
export async function findBrowser() {
  const chosen = process.env.CHROMIUM_PATH;
  if (chosen) {
    if (await runs(chosen)) return chosen;
    throw new Refusal(`CHROMIUM_PATH is ${chosen}, but that cannot be run.`);
  }
  return (await firstThatRuns(candidates())) ?? (await ownBrowser()) ?? (await install());
}

function candidates() {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return [...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))), ...PLACES];
}

async function firstThatRuns(paths) {
  for (const path of paths) if (await runs(path)) return path;
  return null;
}

/** Some systems have a script with this name that only explains how to install the real one. */
async function runs(path) {
  if (!existsSync(path)) return false;
  const { code } = await capture(path, ['--version', '--no-sandbox']).catch(() => ({ code: 1 }));
  return code === 0;
}

/** The one that Playwright downloaded before. */
async function ownBrowser() {
  const { chromium } = await import('playwright-core');
  return firstThatRuns([chromium.executablePath()]);
}

async function install() {
  say('The browser tests require Chromium, which is not installed on this machine.');
  const isRoot = process.getuid?.() === 0;
  const failures = [];
  const ways = isRoot
    ? [withApt('chromium-headless-shell'), withApt('chromium'), downloadWith('--with-deps')]
    : [downloadWith()];
  for (const [title, commands] of ways) {
    const failure = await step(title, () => run(commands)).catch((error) => error.message);
    const found = (await firstThatRuns(candidates())) ?? (await ownBrowser());
    if (found) return found;
    failures.push(`${title}:\n${failure ?? 'It was installed, but cannot be run.'}`);
  }
  throw new Refusal(`Chromium could not be installed. ${HELP}\n\n${failures.join('\n\n')}`);
}

/** Waits for other installations to finish. */
const APT = ['apt-get', '-o', 'DPkg::Lock::Timeout=300'];

/** Not every system with apt-get has this package. */
function withApt(name) {
  return [
    `Installing ${name} with apt-get (60 to 100 MB, once)`,
    [
      [...APT, 'update'],
      [...APT, 'install', '-y', '--no-install-recommends', name],
    ],
  ];
}

function downloadWith(...options) {
  const playwright = join(root, 'node_modules', 'playwright-core', 'cli.js');
  return [
    'Downloading Chromium with Playwright (about 170 MB, once)',
    [[process.execPath, playwright, 'install', ...options, 'chromium']],
  ];
}

async function run(commands) {
  for (const [command, ...args] of commands) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const { code, output } = await capture(command, args, { env });
    if (code !== 0) throw new Error(output);
  }
}
