import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Api } from '../support/api/api.js';
import { cli } from '../support/services/cli.js';
import { newClient, newKey, newPerson } from '../support/api/people.js';
import { expectProblem, pathsOf } from '../support/api/problems.js';
import { OWNER, query, type ServiceProcess, startProcess } from '../support/services/service.js';
import { StatementProxy } from '../support/faults/statement-proxy.js';
import { SITE_USER, WordPressSite } from '../support/wordpress/wordpress-site.js';

const [OLD_KEY, NEW_KEY] = ['old-key-'.repeat(4), 'new-key-'.repeat(4)];
const SECRET = /abcd EFGH|very-secret|another-secret/;
const UNKNOWN = '0198a3c4-7b1e-7cc0-8f5e-2f5d1c9a7b10';

let service: ServiceProcess;
/** The same installation, with private addresses rejected and the new key first. */
let strict: ServiceProcess;
let owner: Api;
let mine: string;
let theirs: string;
let operator: Api;
let viewer: Api;
let agent: Api;
let site: WordPressSite;
let endpoint: Server;
let endpointUrl: string;
/** Requests to the endpoint. */
let hits = 0;

const pathOf = (clientId: string, targetId?: string) =>
  `/admin/clients/${clientId}/targets${targetId ? `/${targetId}` : ''}`;

beforeAll(async () => {
  endpoint = createServer((_request, response) => {
    hits += 1;
    response.end();
  }).listen(0, '127.0.0.1');
  await once(endpoint, 'listening');
  endpointUrl = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/in`;
  site = await WordPressSite.start();
  service = await startProcess({ TARGETS_ALLOW_PRIVATE: 'true', SECRETS_KEY: OLD_KEY, LOG_LEVEL: 'trace' });
  strict = await service.restart({
    PORT: undefined,
    TARGETS_ALLOW_PRIVATE: undefined,
    SECRETS_KEY: `${NEW_KEY},${OLD_KEY}`,
  });
  owner = await service.api.signIn(OWNER);
  [mine, theirs] = [await newClient(owner), await newClient(owner)];
  operator = (await newPerson(owner, { role: 'operator', clientIds: [mine] })).api;
  viewer = (await newPerson(owner, { role: 'viewer', clientIds: [mine] })).api;
  agent = service.api.as((await newKey(owner, { role: 'agent', clientIds: [mine] })).key);
});
afterAll(async () => {
  endpoint?.close();
  await Promise.all([service?.stop(), strict?.stop(), site?.stop()]);
});
beforeEach(() => site.reset());

const http = (change: Record<string, unknown> = {}) => ({
  kind: 'http',
  name: 'Endpoint',
  url: endpointUrl,
  method: 'PUT',
  ...change,
});
const rowsOf = (clientId: string) =>
  query(service.databaseUrl, 'SELECT * FROM targets WHERE client_id = $1 ORDER BY id', [clientId]);

describe('Targets', () => {
  it('are created, listed, changed and deleted; credentials are never shown', async () => {
    const wordpress = await operator.post(pathOf(mine), site.target({ name: ' Bakery ' }));
    const { targetId } = wordpress.body;
    const record = {
      targetId,
      clientId: mine,
      kind: 'wordpress',
      name: 'Bakery',
      baseUrl: site.baseUrl,
      username: SITE_USER.username,
      state: 'connected',
      lastVerifiedAt: expect.any(String),
      detail: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    };
    expect(wordpress.body).toEqual({ ...record, verification: { ok: true, steps: expect.any(Array) } });
    const other = await operator.post(pathOf(mine), http({ bearerToken: 'very-secret' }));
    expect(other.body).toMatchObject({
      url: endpointUrl,
      method: 'PUT',
      hasBearerToken: true,
      state: 'connected',
    });

    for (const api of [viewer, agent, owner]) {
      const { body } = await api.get(pathOf(mine));
      expect(body).toEqual({
        targets: [record, expect.objectContaining({ targetId: other.body.targetId, hasBearerToken: true })],
        nextCursor: null,
      });
      expect((await api.get(pathOf(mine, targetId))).body).toEqual(record);
    }
    const first = await viewer.get(`${pathOf(mine)}?limit=1`);
    const second = await viewer.get(`${pathOf(mine)}?limit=1&cursor=${first.body.nextCursor}`);
    expect([...first.body.targets, ...second.body.targets].map(({ name }: any) => name)).toEqual([
      'Bakery',
      'Endpoint',
    ]);

    const renamed = await operator.patch(pathOf(mine, targetId), { name: 'Bakery site' });
    expect(renamed.body).toEqual({ ...record, name: 'Bakery site' });
    const unlocked = await operator.patch(pathOf(mine, other.body.targetId), { bearerToken: null });
    expect(unlocked.body).toMatchObject({
      hasBearerToken: false,
      state: 'connected',
      verification: { ok: true },
    });

    expect((await operator.delete(pathOf(mine, targetId))).status).toBe(204);
    for (const gone of [
      await operator.get(pathOf(mine, targetId)),
      await operator.delete(pathOf(mine, targetId)),
      await operator.patch(pathOf(mine, targetId), { name: 'X' }),
      await operator.post(`${pathOf(mine, targetId)}/verify`),
    ]) {
      expectProblem(gone, 404, 'target_not_found');
    }
    const [deleted] = await rowsOf(mine);
    expect(deleted).toMatchObject({ id: targetId, name: 'Bakery site', credentials: null });
    expect(deleted!['deleted_at']).not.toBeNull();
  });

  it("are part of the client's integrations", async () => {
    const clientId = await newClient(owner);
    await owner.put(`/admin/clients/${clientId}/integrations/gbp`, { name: 'Profile', state: 'connected' });
    await owner.post(pathOf(clientId), site.target({ name: 'Site' }));
    site.reset({ fault: 'maintenance' });
    await owner.post(pathOf(clientId), site.target({ name: 'Down' }));
    expect((await owner.get(`/admin/clients/${clientId}`)).body.integrations).toEqual([
      expect.objectContaining({ kind: 'gbp', name: 'Profile' }),
      {
        kind: 'wordpress',
        name: 'Site',
        state: 'connected',
        lastVerifiedAt: expect.any(String),
        detail: null,
      },
      {
        kind: 'wordpress',
        name: 'Down',
        state: 'error',
        lastVerifiedAt: expect.any(String),
        detail: expect.stringContaining('maintenance'),
      },
    ]);
  });

  it('have unique names, ignoring case, until they are deleted', async () => {
    const clientId = await newClient(owner);
    const create = (name: string) => owner.post(pathOf(clientId), http({ name }));
    const first = await create('Shop');
    expectProblem(await create('SHOP'), 409, 'target_name_taken');
    const { targetId } = (await create('Blog')).body;
    expectProblem(await owner.patch(pathOf(clientId, targetId), { name: 'shop' }), 409, 'target_name_taken');
    expect((await owner.patch(pathOf(clientId, targetId), { name: 'BLOG' })).status).toBe(200);
    await owner.delete(pathOf(clientId, first.body.targetId));
    expect((await create('Shop')).status).toBe(201);
    const twice = await Promise.all(Array.from({ length: 5 }, () => create('Race')));
    expect(twice.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
  });

  it('are limited to 100 per client', async () => {
    const clientId = await newClient(owner);
    await query(
      service.databaseUrl,
      `INSERT INTO targets (id, client_id, kind, name, settings, state)
         SELECT gen_random_uuid(), $1, 'http', 'T' || n, jsonb_build_object('url', $2::text, 'method', 'PUT'), 'unverified' FROM generate_series(1, 99) n`,
      [clientId, endpointUrl],
    );
    const responses = await Promise.all(
      [1, 2, 3].map((n) => owner.post(pathOf(clientId), http({ name: `New ${n}` }))),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expectProblem(
      responses.find(({ status }) => status === 409)!,
      409,
      'too_many_targets',
    );
  });

  it('keep the state of the current credentials: a late result for the old ones is dropped', async () => {
    const clientId = await newClient(owner);
    site.reset({ fault: 'authorization_dropped' });
    const { targetId } = (await owner.post(pathOf(clientId), site.target())).body;
    const path = pathOf(clientId, targetId);
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let waiting: () => void = () => undefined;
    const arrived = new Promise<void>((resolve) => (waiting = resolve));
    site.handle('GET', /^\/$/, async () => {
      waiting();
      await held;
      return { status: 200, body: { namespaces: [] } };
    });
    const late = owner.post(`${path}/verify`);
    await arrived;
    site.handle('GET', /^\/$/, () => ({
      status: 200,
      body: { namespaces: ['wp/v2'], authentication: { 'application-passwords': {} } },
    }));
    site.reset();
    const changed = await owner.patch(path, { applicationPassword: SITE_USER.applicationPassword });
    expect(changed.body).toMatchObject({ state: 'connected', verification: { ok: true } });
    release();
    expect((await late).body.ok).toBe(false);
    expect((await owner.get(path)).body).toMatchObject({ state: 'connected', detail: null });
  });
});

describe('Access to targets', () => {
  it('needs targets:read to see and targets:manage to change them; other clients have none', async () => {
    const { targetId } = (await owner.post(pathOf(theirs), http({ bearerToken: 'very-secret' }))).body;
    for (const api of [viewer, agent]) {
      for (const denied of [
        await api.post(pathOf(mine), http({ name: 'New' })),
        await api.patch(pathOf(mine, UNKNOWN), { name: 'X' }),
        await api.delete(pathOf(mine, UNKNOWN)),
        await api.post(`${pathOf(mine, UNKNOWN)}/verify`),
      ]) {
        expectProblem(denied, 403, 'permission_denied');
        expect(JSON.stringify(denied.body)).toContain('targets:manage');
      }
    }
    expectProblem(await operator.get(pathOf(theirs)), 404, 'client_not_found');
    for (const id of [targetId, UNKNOWN, 'nonsense', targetId.toUpperCase()]) {
      expectProblem(await operator.get(pathOf(mine, id)), 404, 'target_not_found');
      expectProblem(await operator.patch(pathOf(mine, id), { name: 'X' }), 404, 'target_not_found');
      expectProblem(await operator.delete(pathOf(mine, id)), 404, 'target_not_found');
      expectProblem(await operator.post(`${pathOf(mine, id)}/verify`), 404, 'target_not_found');
    }
  });
});

describe('Bad input', () => {
  let clientId: string;
  beforeAll(async () => {
    clientId = await newClient(owner);
  });
  afterEach(async () => expect(await rowsOf(clientId)).toEqual([]));

  it.each([
    ['an unknown kind', { kind: 'ftp' }, 'kind'],
    ['no kind', { kind: undefined }, 'kind'],
    ['no name', { name: ' ' }, 'name'],
    ['a field of another kind', { baseUrl: 'https://bakery.example' }, 'baseUrl'],
    ['another method', { method: 'DELETE' }, 'method'],
    ['a token with a line break', { bearerToken: 'a\r\nX-Evil: 1' }, 'bearerToken'],
    ['credentials in the address', { url: 'https://user:password@bakery.example/' }, 'url'],
    ['a file', { url: 'file:///etc/passwd' }, 'url'],
    ['FTP', { url: 'ftp://bakery.example/' }, 'url'],
    ['a dot at the end of the host', { url: 'https://bakery.example./' }, 'url'],
    ['white space inside', { url: 'https://bakery .example/' }, 'url'],
    ['broken punycode', { url: 'https://xn--a/' }, 'url'],
    ['an address of 3,000 characters', { url: `https://bakery.example/${'x'.repeat(3_000)}` }, 'url'],
    ['an invalid address', { url: 'bakery' }, 'url'],
    ['an address of another type', { url: ['https://bakery.example'] }, 'url'],
  ])('%s is rejected', async (_what, change, field) => {
    const response = await owner.post(pathOf(clientId), http(change));
    expectProblem(response, 400, 'validation_failed');
    expect(pathsOf(response)).toContain(field);
  });

  it.each([['http://bakery.example:22/'], ['http://bakery.example:25/']])(
    '%s is rejected even where private addresses are allowed',
    async (url) => {
      expectProblem(await owner.post(pathOf(clientId), http({ url })), 422, 'target_address_not_allowed');
      expectProblem(
        await owner.post(pathOf(clientId), site.target({ baseUrl: url })),
        422,
        'target_address_not_allowed',
      );
    },
  );

  it('private addresses are rejected by default, before anything is sent', async () => {
    const before = hits;
    const api = owner.at(strict.url);
    const { port } = new URL(endpointUrl);
    for (const host of [
      '127.0.0.1',
      '127.1',
      '0x7f000001',
      '[::ffff:127.0.0.1]',
      'localhost',
      '169.254.169.254',
    ]) {
      const url = `http://${host}:${port}/in`;
      expectProblem(await api.post(pathOf(clientId), http({ url })), 422, 'target_address_not_allowed');
      expectProblem(
        await api.post(pathOf(clientId), site.target({ baseUrl: url })),
        422,
        'target_address_not_allowed',
      );
    }
    expect([hits, site.requests]).toEqual([before, []]);
  });
});

describe('Targets', () => {
  it('rejects a change that names nothing, or a field of another kind', async () => {
    const clientId = await newClient(owner);
    const { targetId } = (await owner.post(pathOf(clientId), http())).body;
    for (const body of [
      {},
      { url: 'https://elsewhere.example/' },
      { kind: 'wordpress' },
      { name: null },
      { name: '' },
      { method: null },
      { username: 'x' },
      { applicationPassword: 'x' },
      { bearerToken: '' },
      { bearerToken: 'ü' },
    ]) {
      expectProblem(await owner.patch(pathOf(clientId, targetId), body), 400, 'validation_failed');
    }
    expect((await owner.get(pathOf(clientId, targetId))).body).toMatchObject({
      name: 'Endpoint',
      method: 'PUT',
    });
  });
});

describe('Credentials', () => {
  const credentialsOf = async (targetId: string) =>
    (
      await query<{ credentials: string }>(
        service.databaseUrl,
        'SELECT credentials FROM targets WHERE id = $1',
        [targetId],
      )
    )[0]!.credentials;

  it('are encrypted for their own target, rotated by the command, and unreadable without their key', async () => {
    const clientId = await newClient(owner);
    const create = (name: string) =>
      owner.post(pathOf(clientId), http({ name, bearerToken: 'another-secret' }));
    const [{ targetId: first }, { targetId: second }] = [(await create('A')).body, (await create('B')).body];
    const [old, copied] = [await credentialsOf(first), await credentialsOf(second)];
    expect(old).toMatch(/^v1\.[0-9a-f]{8}\./);

    // Both keys read what the old one encrypted; the service itself still has only the old one.
    const api = owner.at(strict.url);
    expect((await api.get(pathOf(clientId, first))).body.state).toBe('connected');
    const rotated = await cli({ ...service.env, SECRETS_KEY: `${NEW_KEY},${OLD_KEY}` }, 'secrets:rotate');
    expect(rotated).toMatchObject({
      code: 0,
      output: expect.stringMatching(/rotated: [1-9]\d*\nunreadable: 0\n/),
    });
    expect(await cli({ ...service.env, SECRETS_KEY: NEW_KEY }, 'secrets:rotate')).toEqual({
      code: 0,
      output: 'rotated: 0\nunreadable: 0\n',
    });
    expect((await credentialsOf(first)).slice(0, 11)).not.toBe(old.slice(0, 11));
    expect((await api.get(pathOf(clientId, first))).body.state).toBe('connected');

    const unreadable = await owner.get(pathOf(clientId, first));
    expect(unreadable).toMatchObject({
      status: 200,
      body: { state: 'credentials_unreadable', hasBearerToken: true },
    });
    expect((await owner.get(`/admin/clients/${clientId}`)).body.integrations[0].state).toBe(
      'credentials_unreadable',
    );
    expect(await owner.post(`${pathOf(clientId, first)}/verify`)).toMatchObject({
      status: 200,
      body: {
        ok: false,
        steps: [{ step: 'credentials', ok: false, fix: expect.stringContaining('SECRETS_KEY') }],
      },
    });
    expect(await cli({ ...service.env, SECRETS_KEY: OLD_KEY }, 'secrets:rotate')).toMatchObject({
      code: 1,
      output: expect.stringMatching(/unreadable: [1-9]/),
    });
    // With its key back it is readable, but nobody knows whether it still works.
    expect((await api.get(pathOf(clientId, first))).body).toMatchObject({
      state: 'unverified',
      detail: null,
    });

    const repaired = await owner.patch(pathOf(clientId, first), { bearerToken: 'another-secret' });
    expect(repaired.body).toMatchObject({ state: 'connected', verification: { ok: true } });
    await query(service.databaseUrl, 'UPDATE targets SET credentials = $2 WHERE id = $1', [first, copied]);
    expect((await owner.get(pathOf(clientId, first))).body.state).toBe('credentials_unreadable');
    // Otherwise the next rotation would fail.
    expect((await owner.delete(pathOf(clientId, first))).status).toBe(204);
  });

  it('are not rotated if they change meanwhile', async () => {
    const clientId = await newClient(owner);
    const { targetId } = (await owner.post(pathOf(clientId), http({ bearerToken: 'an-old-secret' }))).body;
    const proxy = await StatementProxy.to(service.databaseUrl);
    let changed = '';
    const before = async () => {
      const response = await owner.patch(pathOf(clientId, targetId), { bearerToken: 'a-new-secret' });
      expect(response.status).toBe(200);
      changed = await credentialsOf(targetId);
    };
    proxy.on({ statement: new RegExp(`UPDATE targets SET credentials.*${targetId}`, 's') }, { before });
    const env = { ...service.env, DATABASE_URL: proxy.via(service.databaseUrl) };
    const { code } = await cli({ ...env, SECRETS_KEY: `${NEW_KEY},${OLD_KEY}` }, 'secrets:rotate');
    await proxy.close();
    expect(code).toBe(0);
    expect(changed).not.toBe('');
    expect(await credentialsOf(targetId)).toBe(changed);
  });

  it('are neither in the database, nor in the audit log, nor in the log', async () => {
    const clientId = await newClient(owner);
    const { targetId } = (await owner.post(pathOf(clientId), site.target())).body;
    await owner.patch(pathOf(clientId, targetId), { applicationPassword: 'very-secret very-secret' });
    await owner.post(`${pathOf(clientId, targetId)}/verify`);
    await owner.post(
      pathOf(clientId),
      http({ bearerToken: 'very-secret', url: `${endpointUrl}?key=very-secret` }),
    );
    await owner.post(pathOf(clientId), site.target({ applicationPassword: ['very-secret'] }));
    await owner.delete(pathOf(clientId, targetId));
    const audit = await owner.get(`/admin/clients/${clientId}/audit`);
    expect(audit.body.events.map(({ action }: { action: string }) => action)).toEqual([
      'target.delete',
      'target.create',
      'target.verify',
      'target.verify',
      'target.update',
      'target.create',
      'client.create',
    ]);
    const rows = (await rowsOf(clientId)).map((row) => ({
      ...row,
      settings: { ...(row['settings'] as object), url: null },
    }));
    for (const text of [
      JSON.stringify(audit.body),
      JSON.stringify(rows),
      service.output(),
      strict.output(),
    ]) {
      expect(text).not.toMatch(SECRET);
      expect(text).not.toContain(Buffer.from(`${SITE_USER.username}:`).toString('base64').slice(0, 16));
    }
  });
});
