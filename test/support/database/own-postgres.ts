import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from 'pg';
import { freePort } from '../services/service.js';

const CHILD = join(__dirname, '../../../packages/embedded-postgres/test/postgres-child.mjs');
/** Of the directory that a copy must not have. */
const NOT_COPIED = /\/(owner|postmaster\.pid|postgres\.log)$/;

/** A separate Postgres server that the test can stop, start and copy. */
export class OwnPostgres {
  private child: ChildProcess | null = null;
  url = '';

  private constructor(
    private readonly directory: string,
    private readonly port: number,
  ) {}

  static async start(): Promise<OwnPostgres> {
    const postgres = await OwnPostgres.inNewDirectory();
    await postgres.launch();
    return postgres;
  }

  private static async inNewDirectory(): Promise<OwnPostgres> {
    return new OwnPostgres(mkdtempSync(join(tmpdir(), 'asset-library-own-')), await freePort());
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.launch();
  }

  async stop(): Promise<void> {
    const { child } = this;
    if (child === null || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.stdin!.write('stop\n');
    await ended;
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** A physical copy of the running server, as of now. It has not been started. */
  async backUp(): Promise<OwnPostgres> {
    const copy = await OwnPostgres.inNewDirectory();
    await this.asSuperuser(async (client) => {
      await client.query(`SELECT pg_backup_start('copy', true)`);
      const options = { recursive: true, filter: (path: string) => !NOT_COPIED.test(path) };
      cpSync(this.directory, copy.directory, options);
      const { rows } = await client.query<{ labelfile: string }>('SELECT * FROM pg_backup_stop(false)');
      cpSync(join(this.cluster, 'pg_wal'), join(copy.cluster, 'pg_wal'), options);
      writeFileSync(join(copy.cluster, 'backup_label'), rows[0]!.labelfile);
    });
    return copy;
  }

  /** A standby, without which this server commits nothing from now on. */
  async startStandby(): Promise<OwnPostgres> {
    const standby = await this.backUp();
    const { password } = new URL(this.url);
    const primary = `host=127.0.0.1 port=${this.port} user=postgres password=${password}`;
    appendFileSync(join(standby.cluster, 'postgresql.auto.conf'), `primary_conninfo = '${primary}'\n`);
    writeFileSync(join(standby.cluster, 'standby.signal'), '');
    await standby.launch();
    await this.asSuperuser(async (client) => {
      await client.query(`ALTER SYSTEM SET synchronous_standby_names = '*'`);
      await client.query('SELECT pg_reload_conf()');
    });
    return standby;
  }

  /** Makes a standby the primary. Its own commits wait for nobody. */
  async promote(): Promise<void> {
    await this.asSuperuser((client) => client.query('SELECT pg_promote()'));
  }

  async launch(): Promise<void> {
    const options = JSON.stringify({
      directory: join(this.directory, 'postgres'),
      name: 'asset_library',
      port: this.port,
    });
    const child = spawn(process.execPath, [CHILD, options], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.child = child;
    this.url = await new Promise<string>((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`Postgres ended with ${code}`)));
      createInterface({ input: child.stdout }).on('line', (line) => {
        const event = JSON.parse(line) as { url?: string; error?: string };
        if (event.error) reject(new Error(event.error));
        if (event.url) resolve(event.url);
      });
    });
  }

  private get cluster(): string {
    return join(this.directory, 'postgres/cluster');
  }

  private async asSuperuser<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const url = new URL(this.url);
    url.username = 'postgres';
    const client = new Client(url.toString());
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }
}
