import { spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Confinement } from './media.types.js';

const MAX_FILE_BYTES = 1024 * 1024 * 1024;
const RESOURCE_LIMITS = ['prlimit', '--core=0', '--nofile=256', `--fsize=${MAX_FILE_BYTES}`];
const NO_NEW_PRIVILEGES = ['setpriv', '--no-new-privs'];
/**
 * A network without interfaces and a separate user namespace, in which the kernel hides the environment and memory of processes outside, in
 * particular ours. Mapped to an ordinary user, root loses its capabilities.
 */
const NAMESPACES = ['unshare', '--user', '--map-user=65534', '--map-group=65534', '--net', '--'];
/**
 * The kernel kills the child when the service ends, however that happens. Last, because a change of credentials cancels it. setpriv
 * supports it since util-linux 2.33.
 */
const ENDS_WITH_SERVICE = ['setpriv', '--pdeathsig', 'KILL'];
const PROBE_TIMEOUT_MS = 5_000;

/**
 * The strictest confinement for children running `entry` that works on this machine without root. Containers often forbid namespaces; only
 * Linux has them.
 */
export function findConfinement(entry: string): Confinement {
  const candidates = [
    [...RESOURCE_LIMITS, ...NO_NEW_PRIVILEGES, ...NAMESPACES, ...ENDS_WITH_SERVICE],
    [...RESOURCE_LIMITS, ...NO_NEW_PRIVILEGES, ...ENDS_WITH_SERVICE],
    [...RESOURCE_LIMITS, ...NO_NEW_PRIVILEGES],
  ];
  const wrapper = process.platform === 'linux' ? candidates.find((one) => works(one, entry)) : [];
  return { wrapper: wrapper ?? [], nodeFlags: permissionFlags(entry) };
}

/** For the log: what the children cannot do. */
export function describeConfinement({ wrapper, nodeFlags }: Confinement) {
  return {
    namespaces: wrapper.includes('unshare'),
    noNewPrivileges: wrapper.includes('setpriv'),
    permissionModel: nodeFlags.length > 0,
  };
}

function works([command, ...args]: string[], entry: string): boolean {
  const probe = ['test', '-r', entry, '-a', '-x', process.execPath];
  return (
    spawnSync(command!, [...args, ...probe], { timeout: PROBE_TIMEOUT_MS, stdio: 'ignore' }).status === 0
  );
}

/** They can only read their own code and cannot start child processes. Not applied on Windows. */
function permissionFlags(entry: string): string[] {
  const known = process.allowedNodeEnvironmentFlags;
  const model = ['--permission', '--experimental-permission'].find((flag) => known.has(flag));
  if (model === undefined || !known.has('--allow-addons') || process.platform === 'win32') return [];
  return [
    model,
    '--no-warnings',
    '--allow-addons',
    '--allow-worker',
    ...codeOf(entry).map((path) => `--allow-fs-read=${path}`),
    '--allow-fs-write=/proc/self/oom_score_adj',
  ];
}

/** The compiled service and its packages, wherever they are installed above it. Not the directory that contains `.env`. */
function codeOf(entry: string): string[] {
  const paths = [join(dirname(dirname(entry)), '*')];
  for (let at = dirname(entry); at !== dirname(at); at = dirname(at)) {
    if (existsSync(join(at, 'package.json'))) paths.push(join(at, 'package.json'));
    if (existsSync(join(at, 'node_modules'))) paths.push(join(realpathSync(join(at, 'node_modules')), '*'));
  }
  return paths;
}
