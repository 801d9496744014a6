import { spawn, spawnSync, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from 'pg';

const SCRIPT = join(__dirname, 'postgres-child.mjs');
const isRoot = process.getuid?.() === 0;
const NOBODY = 65534;
const NAME = 'some_name';

interface Event {
  url?: string;
  port?: number;
  error?: string;
  log?: string;
  inserted?: number;
  stopped?: boolean;
}

/** A process that runs the embedded Postgres, and the events it has reported so far. */
class Host {
  readonly events: Event[] = [];
  readonly ended: Promise<unknown>;

  constructor(private readonly child: ChildProcessWithoutNullStreams) {
    this.ended = once(child, 'close');
    createInterface({ input: child.stdout }).on('line', (line) =>
      this.events.push(JSON.parse(line) as Event),
    );
    child.stderr.pipe(process.stderr);
    hosts.push(this);
  }

  get pid(): number {
    return this.child.pid!;
  }

  async waitFor(matches: (event: Event) => unknown): Promise<Event> {
    return eventually(
      () => this.events.find(matches),
      `an event; so far: ${JSON.stringify(this.events.slice(-5))}`,
    );
  }

  async url(): Promise<string> {
    const event = await this.waitFor((candidate) => candidate.url ?? candidate.error);
    if (event.url === undefined) throw new Error(event.error);
    return event.url;
  }

  async error(): Promise<string> {
    return (await this.waitFor((event) => event.url ?? event.error)).error ?? 'it started';
  }

  say(word: 'stop' | 'insert'): void {
    this.child.stdin.write(`${word}\n`);
  }

  async stop(): Promise<void> {
    this.say('stop');
    await this.ended;
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }
}

const hosts: Host[] = [];
let directory: string;

function startHost(
  options: { directory?: string; port?: number } = {},
  account: { uid?: number; gid?: number; detached?: boolean } = {},
): Host {
  const { HOME: _home, ...env } = process.env;
  const settings = JSON.stringify({ directory, name: NAME, ...options });
  return new Host(spawn(process.execPath, [SCRIPT, settings], { env, cwd: '/', ...account }));
}

async function eventually<T>(
  attempt: () => T | Promise<T>,
  what: string,
  seconds = 30,
): Promise<NonNullable<T>> {
  for (const deadline = Date.now() + seconds * 1000; Date.now() < deadline;) {
    const found = await attempt();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`Waited ${seconds} s for ${what}`);
}

async function query<Row>(url: string, sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows as Row[];
  } finally {
    await client.end();
  }
}

function postmasterPid(): number {
  return Number.parseInt(readFileSync(join(directory, 'cluster/postmaster.pid'), 'utf8'), 10);
}

/** Postgres removes the file last; checking the pid would mistake a zombie for a running server. */
function isServerStopped(): boolean {
  return !existsSync(join(directory, 'cluster/postmaster.pid'));
}

let base: string;
let initialized: string;

/** Data of an earlier run: creating it takes longer than most of these tests. */
function useEarlierData(): void {
  const { status, stderr } = spawnSync('cp', ['-a', initialized, directory], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

beforeAll(async () => {
  initialized = join(mkdtempSync(join(tmpdir(), 'embedded-postgres-')), 'postgres');
  directory = initialized;
  const host = startHost();
  await host.url();
  await host.stop();
});

afterAll(() => rmSync(dirname(initialized), { recursive: true, force: true }));

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'embedded-postgres-'));
  chmodSync(base, 0o755);
  directory = join(base, 'postgres');
});

afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.kill()));
  rmSync(base, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
});

describe('the embedded Postgres', () => {
  it('keeps its rows across a clean stop and restart', async () => {
    useEarlierData();
    const first = startHost();
    await query(await first.url(), "create table words (word text); insert into words values ('kept')");
    await first.stop();

    const second = startHost();
    expect(await query(await second.url(), 'select word from words')).toEqual([{ word: 'kept' }]);
  });

  it('uses UTF-8 and UTC, keeps acknowledged data, and gives the application no superuser', async () => {
    useEarlierData();
    const [row] = await query<Record<string, string>>(
      await startHost().url(),
      `select current_setting('server_encoding') as encoding, current_setting('timezone') as timezone, lower('ÄÉ') as lower,
        current_setting('fsync') as fsync, current_setting('is_superuser') as superuser, current_database() as database`,
    );
    expect(row).toEqual({
      encoding: 'UTF8',
      timezone: 'UTC',
      lower: 'äé',
      fsync: 'on',
      superuser: 'off',
      database: NAME,
    });
  });

  it('stops the server when its parent is killed, and loses no acknowledged row', async () => {
    useEarlierData();
    const first = startHost();
    await first.url();
    first.say('insert');
    await first.waitFor((event) => (event.inserted ?? 0) >= 200);
    await first.kill();
    await eventually(isServerStopped, 'the server to stop by itself');

    const acknowledged = Math.max(...first.events.map((event) => event.inserted ?? 0));
    const [row] = await query<{ count: number }>(
      await startHost().url(),
      `select count(*)::int as count from numbers where n <= ${acknowledged}`,
    );
    expect(row?.count).toBe(acknowledged);
  });

  it('recovers when server and parent are killed during inserts', async () => {
    useEarlierData();
    const first = startHost();
    await first.url();
    first.say('insert');
    await first.waitFor((event) => (event.inserted ?? 0) >= 200);
    process.kill(postmasterPid(), 'SIGKILL');
    await first.kill();

    const acknowledged = Math.max(...first.events.map((event) => event.inserted ?? 0));
    const [row] = await query<{ count: number }>(
      await startHost().url(),
      `select count(*)::int as count from numbers where n <= ${acknowledged}`,
    );
    expect(row?.count).toBe(acknowledged);
  });

  it('starts immediately after a kill, while the old server is still running', async () => {
    useEarlierData();
    const first = startHost();
    await query(await first.url(), 'create table left_behind ()');
    const server = postmasterPid();
    // A suspended server cannot react to its guard, so the next start finds it alive.
    process.kill(server, 'SIGSTOP');
    let second: Host;
    try {
      await first.kill();
      second = startHost();
      await second.waitFor((event) => event.log?.includes(`Stopping Postgres ${server}`));
    } finally {
      process.kill(server, 'SIGCONT');
    }
    expect(await query(await second.url(), 'select * from left_behind')).toEqual([]);
    expect(postmasterPid()).not.toBe(server);
  });

  it('starts although the pid of the killed server now belongs to another process', async () => {
    useEarlierData();
    const first = startHost();
    await first.url();
    const file = join(directory, 'cluster/postmaster.pid');
    const content = readFileSync(file, 'utf8');
    await first.stop();
    writeFileSync(file, content.replace(/^\d+/, String(process.pid)));
    writeFileSync(join(directory, 'owner'), `${process.pid}\nsome earlier process\n`);
    chownSync(file, isRoot ? NOBODY : process.getuid!(), isRoot ? NOBODY : process.getgid!());

    await expect(startHost().url()).resolves.toMatch(/^postgres:/);
  });

  it('rejects a directory that a running process uses, and names that process', async () => {
    useEarlierData();
    const first = startHost();
    const url = await first.url();
    expect(await startHost().error()).toContain(
      `data directory ${directory} is in use by process ${first.pid}.`,
    );
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('lets only one of several simultaneous first starts succeed', async () => {
    const rivals = [startHost(), startHost(), startHost()];
    const outcomes = await Promise.all(rivals.map((host) => host.error()));
    expect(outcomes.filter((outcome) => outcome === 'it started')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome.includes('is in use by process'))).toHaveLength(2);
  });

  it('reports a port that is in use, and uses it when it is free', async () => {
    useEarlierData();
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const message = await startHost({ port }).error();
    expect(message).toContain(`Port ${port} on 127.0.0.1 is already taken`);
    expect(message).toContain('choose another port');

    other.close();
    await once(other, 'close');
    const host = startHost({ port });
    expect((await host.waitFor((event) => event.url ?? event.error)).port).toBe(port);
  });

  it('names both versions when the data belongs to another major version', async () => {
    useEarlierData();
    writeFileSync(join(directory, 'cluster/PG_VERSION'), '16\n');
    expect(await startHost().error()).toMatch(/created by Postgres 16, but this release runs Postgres 17/);
  });

  it('shows the end of the server log when the server does not start', async () => {
    useEarlierData();
    writeFileSync(
      join(directory, 'cluster/postgresql.auto.conf'),
      "shared_preload_libraries = 'no_such_library'\n",
    );
    expect(await startHost().error()).toMatch(/could not access file "no_such_library"/);
  });

  it('recovers from an interrupted first start', async () => {
    mkdirSync(join(directory, 'unfinished-abc'), { recursive: true });
    writeFileSync(join(directory, 'unfinished-abc/PG_VERSION'), '17\n');
    await expect(startHost().url()).resolves.toMatch(/^postgres:/);
  });

  it('runs below a directory closed to everyone else', async () => {
    const closed = join(base, 'closed');
    mkdirSync(closed, { mode: 0o700 });
    directory = join(closed, 'data', 'postgres');
    const url = await startHost().url();
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(readFileSync(join(directory, 'password'), 'utf8').trim()).toBe(new URL(url).password);
  });

  it('outlives Ctrl-C until its parent stops it', async () => {
    useEarlierData();
    const host = startHost({}, { detached: true });
    await host.url();
    // Like a terminal: the signal goes to the whole process group.
    process.kill(-host.pid, 'SIGINT');
    await host.ended;
    expect(host.events.at(-1)).toEqual({ stopped: true });
    expect(isServerStopped()).toBe(true);
  });

  // If that user cannot enter the clone itself, there is nothing to test.
  const canTry = isRoot && spawnSync('test', ['-r', SCRIPT], { uid: NOBODY, gid: NOBODY }).status === 0;
  (canTry ? it : it.skip)('runs for an ordinary user without a home', async () => {
    chownSync(base, NOBODY, NOBODY);
    chmodSync(base, 0o700);
    const host = startHost({}, { uid: NOBODY, gid: NOBODY });
    expect(await query(await host.url(), 'select 1 as one')).toEqual([{ one: 1 }]);
  });
});
