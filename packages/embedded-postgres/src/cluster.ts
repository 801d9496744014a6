import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, open, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from 'pg';
import type { PostgresRuntime } from './runtime.js';
import { PostgresStartError } from './start-error.js';

const MAJOR_VERSION = '17';
export const SUPERUSER = 'postgres';

/** Creates the cluster if there is none, and returns its password. */
export async function ensureCluster(
  directory: string,
  cluster: string,
  runtime: PostgresRuntime,
  log: (line: string) => void,
): Promise<string> {
  const passwordFile = join(directory, 'password');
  if (existsSync(cluster)) {
    const version = (await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => '')).trim();
    if (version !== MAJOR_VERSION) {
      throw new PostgresStartError(
        'other_version',
        `The data in ${cluster} was created by Postgres ${version || '(unknown version)'}, but this release runs Postgres ` +
          `${MAJOR_VERSION}. Use the release that created it, migrate the data, or use another directory.`,
      );
    }
    await runtime.handOver(cluster);
    return (await readFile(passwordFile, 'utf8')).trim();
  }
  log('Creating the database (once)');
  const unfinished = (await readdir(directory)).filter((name) => name.startsWith('unfinished-'));
  for (const name of unfinished) await rm(join(directory, name), { recursive: true, force: true });

  const password = randomBytes(24).toString('base64url');
  await rm(passwordFile, { force: true });
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  await runtime.handOver(passwordFile);

  // Created under another name and renamed when complete, so that an interrupted initdb is never mistaken for a database.
  const draft = await mkdtemp(join(directory, 'unfinished-'));
  await runtime.handOver(draft);
  await initialise(runtime, draft, passwordFile);
  await rename(draft, cluster);
  const handle = await open(directory);
  await handle.sync().finally(() => handle.close());
  return password;
}

async function initialise(runtime: PostgresRuntime, draft: string, passwordFile: string): Promise<void> {
  const args = [
    '-D',
    draft,
    '-U',
    SUPERUSER,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--no-instructions',
  ];
  args.push('--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8');
  const child = runtime.spawn('initdb', args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  if (code !== 0)
    throw new PostgresStartError('server_failed', `The database could not be created:\n${lastLines(output)}`);
}

/** Creates the application's role and database, both with that name, on the first start. */
export async function createDatabase(client: Client, name: string, password: string): Promise<void> {
  // As on a real installation, the application is not a superuser.
  const role = await client.query('select 1 from pg_roles where rolname = $1', [name]);
  if (role.rowCount === 0) {
    await client.query(
      `create role ${client.escapeIdentifier(name)} login createdb password ${client.escapeLiteral(password)}`,
    );
  }
  const database = await client.query('select 1 from pg_database where datname = $1', [name]);
  if (database.rowCount !== 0) return;
  const quoted = client.escapeIdentifier(name);
  await client.query(`create database ${quoted} owner ${quoted}`);
}

export function lastLines(output: string): string {
  return output.trim().split('\n').slice(-15).join('\n');
}
