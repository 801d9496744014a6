import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTimeout as delay } from 'node:timers/promises';
import { cli } from '../support/services/cli.js';
import { environmentOf, type Overrides } from '../support/services/environment.js';
import { eventually } from '../support/eventually.js';
import {
  freePort,
  OWNER,
  query,
  type Service,
  spawnService,
  startProcess,
  startService,
} from '../support/services/service.js';

const SECRET = 'a-secret-of-more-than-32-characters!';
const REQUIRED = {
  DATABASE_URL: 'postgres://u:p@127.0.0.1:1/none',
  AUTH_JWT_SECRET: SECRET,
  SECRETS_KEY: SECRET,
};

/** Starts the service and waits for its end. */
async function runToEnd(settings: Overrides) {
  const port = await freePort();
  const { process: child, output } = spawnService({ PORT: String(port), ...settings });
  const [code] = (await once(child, 'exit')) as [number];
  const listens = await fetch(`http://127.0.0.1:${port}/healthz`).then(
    () => true,
    () => false,
  );
  return { code, output: output(), listens };
}

async function emptyDatabase(): Promise<string> {
  const server = process.env['TEST_DATABASE_URL']!;
  const name = `t${randomBytes(6).toString('hex')}`;
  await query(server, `CREATE DATABASE ${name}`);
  return Object.assign(new URL(server), { pathname: `/${name}` }).toString();
}

describe('A wrong configuration', () => {
  it.each<[string, Overrides, string[]]>([
    ['no secrets', { DATABASE_URL: REQUIRED.DATABASE_URL }, ['AUTH_JWT_SECRET', 'SECRETS_KEY']],
    ['a wrong proxy', { ...REQUIRED, TRUST_PROXY: 'nonsense' }, ['TRUST_PROXY']],
    [
      'several at once',
      {
        ...REQUIRED,
        PORT: '70000',
        AUTH_JWT_SECRET: `${SECRET},short`,
        WORKER: 'x',
        ADMIN_EMAIL: OWNER.email,
      },
      ['PORT', 'AUTH_JWT_SECRET', 'ADMIN_PASSWORD', 'WORKER'],
    ],
    ['production without a database', { NODE_ENV: 'production' }, ['DATABASE_URL']],
    ['a bucket without a database', { STORAGE_BUCKET_NAME: 'b' }, ['DATABASE_URL']],
    ['demo users on a public address', { HOST: '0.0.0.0' }, ['HOST']],
    ['a weak demo password', { HOST: '0.0.0.0', DEMO_PASSWORD: 'short' }, ['DEMO_PASSWORD']],
    [
      'a weak password of the first owner',
      { ...REQUIRED, ADMIN_EMAIL: OWNER.email, ADMIN_PASSWORD: 'short' },
      ['ADMIN_PASSWORD'],
    ],
  ])('is reported in one message, and nothing starts: %s', async (_case, settings, names) => {
    const { code, output, listens } = await runToEnd(settings);
    expect({ code, listens }).toEqual({ code: 1, listens: false });
    const [title, ...lines] = output.trim().split('\n');
    expect(title).toBe('The configuration is invalid:');
    expect(lines.map((line) => /^ {2}- (\w+) /.exec(line)?.[1])).toEqual(names);
    expect(output).not.toMatch(/short\b|u:p|\n\s+at /);
  });

  it('names a port that is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    try {
      const settings = {
        ...REQUIRED,
        DATABASE_URL: await emptyDatabase(),
        HOST: '127.0.0.1',
        PORT: String(port),
      };
      const { process: child, output } = spawnService(settings);
      expect((await once(child, 'exit'))[0]).toBe(1);
      expect(output()).toMatch(new RegExp(`Port ${port} is in use`));
      expect(output()).not.toMatch(/\n\s+at /);
    } finally {
      other.close();
    }
  });
});

describe('A database that cannot be used', () => {
  it('is reported once while the service waits for it, with its address and the reason', async () => {
    const port = await freePort();
    // A name with two addresses: Node then reports an error without a message.
    const starting = spawnService({ ...REQUIRED, DATABASE_URL: `postgres://u:p@localhost:${port}/none` });
    await eventually(() => expect(starting.output()).toContain('database'));
    // Long enough for several attempts.
    await delay(3_000);
    starting.process.kill('SIGKILL');
    const lines = starting.output().split('\n');
    expect(
      lines.filter((line) => line.includes('database')).map((line) => JSON.parse(line) as object),
    ).toEqual([
      {
        level: 40,
        time: expect.any(String) as string,
        msg: `cannot connect to the database at localhost:${port} (connection refused), retrying for up to 60 seconds`,
      },
    ]);
  });

  it('is reported once for each reason, however often they alternate', async () => {
    let connections = 0;
    const server = createServer((socket) => {
      connections += 1;
      if (connections % 2 === 0) socket.resetAndDestroy();
      else socket.end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const starting = spawnService({ ...REQUIRED, DATABASE_URL: `postgres://u:p@127.0.0.1:${port}/none` });
    await eventually(() => expect(connections).toBeGreaterThan(5));
    starting.process.kill('SIGKILL');
    server.close();
    const reported = starting.output().match(/cannot connect to the database at [^"]+/g) ?? [];
    expect(reported.length).toBeGreaterThan(0);
    expect(new Set(reported).size).toBe(reported.length);
  });

  it.each<[string, (server: URL) => void, RegExp]>([
    ['no such database', (url) => (url.pathname = '/none'), /database "none" does not exist/],
    ['no such user', (url) => (url.username = 'nobody'), /"nobody"/],
    ['no such host', (url) => (url.hostname = 'none.invalid'), /unknown host/],
  ])('is reported in one sentence: %s', async (_case, change, reason) => {
    const url = new URL(process.env['TEST_DATABASE_URL']!);
    change(url);
    const settings = { ...REQUIRED, DATABASE_URL: url.toString() };
    const { code, output } = await cli(environmentOf(settings), 'doctor');
    expect(code).toBe(1);
    expect(output).toMatch(/^Cannot connect to the database at [\w.]+:\d+: [^\n]+\.\n$/);
    expect(output).toMatch(reason);
    const migration = await cli(environmentOf(settings), 'migrate');
    expect(migration).toEqual({ code, output });
  });

  it('ends the service with one sentence if waiting cannot help', async () => {
    const url = Object.assign(new URL(process.env['TEST_DATABASE_URL']!), { pathname: '/none' });
    const { code, output, listens } = await runToEnd({ ...REQUIRED, DATABASE_URL: url.toString() });
    expect({ code, listens }).toEqual({ code: 1, listens: false });
    expect(output.split('\n').filter((line) => line.includes('none'))).toEqual([
      `Cannot connect to the database at ${url.host}: database "none" does not exist.`,
    ]);
    expect(output).not.toMatch(/\n\s+at |"stack"/);
  });
});

describe('FFMPEG_PATH', () => {
  it.each([
    ['points to a missing file', '/no/such/ffmpeg'],
    ['points to another program', process.execPath],
  ])('that %s prevents the service from starting', async (_what, path) => {
    const { code, output, listens } = await runToEnd({ ...REQUIRED, FFMPEG_PATH: path });
    expect({ code, listens }).toEqual({ code: 1, listens: false });
    expect(output).toContain('FFMPEG_PATH must be the path of an ffmpeg program that can be run here (');
  });
});

describe('DECODERS', () => {
  it('that do not fit into the memory cause a warning', async () => {
    const service = await startService({ DECODERS: '1000' });
    expect(service.output()).toMatch(/"neededMib":165350,"decoders":1000,.*the memory limit is too small/);
    await service.stop();
  });
});

describe('A production install without configuration', () => {
  it('reports that the embedded servers are not installed, and what to set instead', () => {
    const directory = mkdtempSync(join(tmpdir(), 'production-install-'));
    const hooks = pathToFileURL(join(__dirname, '../support/services/without-embedded.mjs')).href;
    const program = join(__dirname, '../../dist/src/main.js');
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', hooks, program], {
      env: environmentOf({ DATA_DIR: join(directory, 'data'), PORT: '0' }),
      encoding: 'utf8',
    });
    const leftBehind = readdirSync(directory);
    rmSync(directory, { recursive: true, force: true });

    expect({ status, stdout, leftBehind }).toEqual({ status: 1, stdout: '', leftBehind: [] });
    expect(stderr).toContain('the embedded Postgres and object store are not installed');
    expect(stderr).toContain('Set DATABASE_URL and the STORAGE_ settings');
    expect(stderr).toMatch(/\(Cannot find package '@asset-library\/embedded-\w+'\)\n$/);
  });
});

describe('Without storage settings', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ STORAGE_SECRET_ACCESS_KEY: undefined, STORAGE_BUCKET_NAME: '' });
  });
  afterAll(() => service.stop());

  it('the server starts and reports what is missing', () => {
    expect(service.output()).toMatch(/"missing":\["STORAGE_SECRET_ACCESS_KEY","STORAGE_BUCKET_NAME"\]/);
  });

  it('/status reports it, and everything else works', async () => {
    const status = await service.api.get('/status');
    expect(status).toMatchObject({
      status: 200,
      body: {
        status: 'degraded',
        checks: { database: 'ok', storage: 'not_configured', control: 'unknown', queue: 'ok' },
      },
    });
    const owner = await service.api.signIn(OWNER);
    expect((await owner.post('/admin/clients', { name: 'Works' })).status).toBe(201);
    expect((await service.api.get('/readyz')).status).toBe(200);
  });
});

describe('Several processes', () => {
  it('start at the same time on an empty database', async () => {
    const DATABASE_URL = await emptyDatabase();
    const first = { ADMIN_EMAIL: OWNER.email, ADMIN_PASSWORD: OWNER.password };
    const services = await Promise.all([1, 2, 3].map(() => startProcess({ DATABASE_URL, ...first })));
    try {
      for (const { api } of services) {
        expect((await api.post('/auth/login', OWNER)).status).toBe(200);
        expect((await api.get('/readyz')).status).toBe(200);
      }
      expect(await query(DATABASE_URL, 'SELECT email FROM users')).toEqual([{ email: OWNER.email }]);
    } finally {
      await Promise.all(services.map((service) => service.stop()));
    }
  });

  it('leave migrations to others when told so', async () => {
    const DATABASE_URL = await emptyDatabase();
    const { process: child, output } = spawnService({
      ...REQUIRED,
      DATABASE_URL,
      DATABASE_MIGRATE: 'false',
      PORT: '0',
    });
    try {
      while (!output().includes('"msg":"listening"') && child.exitCode === null)
        await once(child.stdout, 'data');
      expect(await query(DATABASE_URL, `SELECT 1 FROM pg_tables WHERE schemaname = 'public'`)).toEqual([]);
    } finally {
      child.kill('SIGKILL');
    }
  });
});
