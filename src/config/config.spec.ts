import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from './config.js';
import { ConfigError } from './environment-reader.js';

const SECRET = 'x'.repeat(32);
const external = { DATABASE_URL: 'postgres://u:p@db/x', AUTH_JWT_SECRET: SECRET, SECRETS_KEY: SECRET };

function problemsOf(env: NodeJS.ProcessEnv): readonly string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

describe('readConfig', () => {
  it('takes the version from package.json', () => {
    const text = readFileSync(join(__dirname, '../../package.json'), 'utf8');
    expect(readConfig({}).version).toBe((JSON.parse(text) as { version: string }).version);
  });

  it('uses the embedded setup if nothing is configured', () => {
    const config = readConfig({});
    expect(config.embedded).toEqual({
      dataDir: '.data',
      storePort: 3001,
      dbPort: undefined,
      demoPassword: 'demo-demo-demo',
    });
    expect(config.http).toMatchObject({ host: '127.0.0.1', port: 3000, publicUrl: 'http://127.0.0.1:3000' });
  });

  it.each([
    [512, 1],
    [768, 2],
    [1024, 4],
    [1536, 6],
    [64 * 1024, 6],
  ])('derives the number of decoders from the memory: %i MiB', (mib, decoders) => {
    expect(readConfig(external, mib * 1024 * 1024).media.decoders).toBe(decoders);
    expect(readConfig({ ...external, DECODERS: '3' }, mib * 1024 * 1024).media.decoders).toBe(3);
  });

  it('names every invalid setting in one error, and never its value', () => {
    const problems = problemsOf({
      ...external,
      PORT: '70000',
      AUTH_JWT_SECRET: 'short-secret',
      WORKER: 'maybe',
      DATABASE_POOL_SIZE: '1e2',
    });
    expect(problems.map((problem) => problem.split(' ')[0])).toEqual([
      'PORT',
      'DATABASE_POOL_SIZE',
      'AUTH_JWT_SECRET',
      'WORKER',
    ]);
    expect(problems.join()).not.toContain('short-secret');
  });

  it('requires a mail server that can be reached, and a sender', () => {
    const SMTP_URL = 'smtps://user:secret@mail.example';
    expect(readConfig({}).mail).toBeNull();
    for (const MAIL_FROM of ['a@b.example', 'Asset Library <a@b.example>'])
      expect(readConfig({ SMTP_URL, MAIL_FROM }).mail).toEqual({
        url: SMTP_URL,
        requireTls: false,
        from: MAIL_FROM,
      });
    const MAIL_FROM = 'a@b.example';
    for (const wrong of [
      'mail.example',
      'mail.example:25',
      'http://mail.example',
      'smtp://',
      'smtp://user:secret@',
    ])
      expect(problemsOf({ SMTP_URL: wrong, MAIL_FROM })).toEqual([
        'SMTP_URL must be a URL starting with smtp:// or smtps://.',
      ]);
    expect(problemsOf({ SMTP_URL })).toEqual(['MAIL_FROM is required with SMTP_URL.']);
    for (const wrong of [
      'a',
      'a@b.example>',
      '<a@b.example',
      'A <a@b.example> B',
      'a@b.example\r\nBcc: c@d.example',
    ])
      expect(problemsOf({ SMTP_URL, MAIL_FROM: wrong }).join()).toMatch(/^MAIL_FROM must be an address/);
  });

  it('requires the secrets as soon as a database is configured', () => {
    expect(problemsOf({ DATABASE_URL: external.DATABASE_URL })).toEqual([
      'AUTH_JWT_SECRET is required when DATABASE_URL is set.',
      'SECRETS_KEY is required when DATABASE_URL is set.',
    ]);
  });

  it('rejects production and STORAGE_* settings without a database', () => {
    expect(problemsOf({ NODE_ENV: 'production' })[0]).toMatch(
      /^DATABASE_URL is required when NODE_ENV=production/,
    );
    expect(problemsOf({ STORAGE_BUCKET_NAME: 'b' })[0]).toMatch(/^DATABASE_URL is required if STORAGE_/);
  });

  it('does not expose the demo users on a public address with the default password', () => {
    expect(problemsOf({ HOST: '0.0.0.0' })[0]).toMatch(/^HOST .*DEMO_PASSWORD/);
    expect(problemsOf({ HOST: '0.0.0.0', DEMO_PASSWORD: 'another-password' })).toEqual([]);
  });

  it.each(['short-one', 'x'.repeat(201), '🔑'.repeat(9)])(
    'rejects ADMIN_PASSWORD and DEMO_PASSWORD that no user could have: %s',
    (password) => {
      expect(problemsOf({ ...external, ADMIN_EMAIL: 'a@b.example', ADMIN_PASSWORD: password })).toEqual([
        'ADMIN_PASSWORD must be 10 to 200 characters long.',
      ]);
      expect(problemsOf({ DEMO_PASSWORD: password })).toEqual([
        'DEMO_PASSWORD must be 10 to 200 characters long.',
      ]);
    },
  );

  it('accepts passwords of the same length as users', () => {
    for (const password of ['ten-chars!', 'x'.repeat(200)]) {
      expect(problemsOf({ ...external, ADMIN_EMAIL: 'a@b.example', ADMIN_PASSWORD: password })).toEqual([]);
      expect(problemsOf({ DEMO_PASSWORD: password })).toEqual([]);
    }
  });

  it('starts without storage settings and reports which are missing', () => {
    expect(readConfig({ ...external, STORAGE_ACCOUNT_ID: 'a' }).storage).toEqual({
      configured: false,
      missing: ['STORAGE_ACCESS_KEY_ID', 'STORAGE_SECRET_ACCESS_KEY', 'STORAGE_BUCKET_NAME'],
    });
  });

  it('derives the endpoint from the account id unless one is given', () => {
    const storage = {
      STORAGE_ACCOUNT_ID: 'acc',
      STORAGE_ACCESS_KEY_ID: 'k',
      STORAGE_SECRET_ACCESS_KEY: 's',
      STORAGE_BUCKET_NAME: 'b',
    };
    expect(readConfig({ ...external, ...storage }).storage).toMatchObject({
      endpoint: 'https://acc.r2.cloudflarestorage.com',
      publicEndpoint: 'https://acc.r2.cloudflarestorage.com',
      forcePathStyle: false,
    });
    expect(
      readConfig({
        ...external,
        ...storage,
        STORAGE_ENDPOINT: 'http://minio:9000/',
        STORAGE_PUBLIC_ENDPOINT: 'https://files.example.com',
      }).storage,
    ).toMatchObject({
      endpoint: 'http://minio:9000',
      publicEndpoint: 'https://files.example.com',
      forcePathStyle: true,
    });
  });

  it('keeps several encryption keys in order, for rotation', () => {
    const { auth, targets } = readConfig({ ...external, SECRETS_KEY: `${'n'.repeat(32)}, ${SECRET}` });
    expect(auth.secretsKeys).toEqual(['n'.repeat(32), SECRET]);
    expect(targets.allowPrivate).toBe(false);
    expect(problemsOf({ ...external, SECRETS_KEY: `${SECRET},short` })).toEqual([
      'SECRETS_KEY must be at least 32 bytes long.',
    ]);
  });

  it('keeps several JWT secrets in order, for rotation', () => {
    expect(
      readConfig({ ...external, AUTH_JWT_SECRET: `${'n'.repeat(32)}, ${SECRET}` }).auth.jwtSecrets,
    ).toEqual(['n'.repeat(32), SECRET]);
  });

  it('requires a mail server that is not on the same host to encrypt', () => {
    const requiresTls = (SMTP_URL: string) =>
      readConfig({ SMTP_URL, MAIL_FROM: 'a@b.example' }).mail?.requireTls;
    for (const local of ['smtp://127.0.0.1:25', 'smtp://user:secret@localhost', 'smtp://[::1]:25'])
      expect(requiresTls(local)).toBe(false);
    for (const remote of ['smtp://user:secret@mail.example', 'smtp://localhost.example', 'smtp://10.0.0.5'])
      expect(requiresTls(remote)).toBe(true);
  });

  it('accepts proxies like Express, and names the setting if Express would reject it', () => {
    const proxyOf = (TRUST_PROXY: string) => readConfig({ ...external, TRUST_PROXY }).http.trustProxy;
    expect(['true', 'false', '2', 'loopback, 10.0.0.0/8', '::1'].map(proxyOf)).toEqual([
      true,
      false,
      2,
      'loopback, 10.0.0.0/8',
      '::1',
    ]);
    for (const wrong of ['nonsense', '10.0.0.0/33', '10.0.0.1/', 'loopback,,', '-1']) {
      expect(problemsOf({ ...external, TRUST_PROXY: wrong })[0]).toMatch(/^TRUST_PROXY must be/);
    }
  });

  it.each([
    ['DATABASE_URL', 'mysql://u:p@db/x'],
    ['PUBLIC_URL', 'ftp://files.example.com'],
    ['CORS_ORIGINS', 'https://a.example,https://b.example/path'],
    ['EMBED_ORIGINS', 'https://panel.example.com/admin'],
    ['LOG_LEVEL', 'loud'],
    ['STORAGE_ENDPOINT', 'files'],
    ['DATABASE_MIGRATE', 'yes'],
    ['DELIVERY_RETRY_SECONDS', '60,soon'],
    ['DELIVERY_RETRY_SECONDS', '60,0'],
    ['TARGETS_ALLOW_PRIVATE', '1'],
    ['ADMIN_PASSWORD', ''],
  ])('rejects an invalid %s', (name, value) => {
    const problems = problemsOf({
      ...external,
      ...(name === 'ADMIN_PASSWORD' ? { ADMIN_EMAIL: 'a@b.example' } : {}),
      [name]: value,
    });
    expect(problems.map((problem) => problem.split(' ')[0])).toContain(name);
  });
});
