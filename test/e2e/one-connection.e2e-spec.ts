import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { Agent } from '../support/api/agents.js';
import type { ApiResponse, Api } from '../support/api/api.js';
import { drainQueue } from '../support/services/background.js';
import { Signal } from '../support/eventually.js';
import { Library } from '../support/api/library.js';
import { DeliveringClient } from '../support/api/deliveries.js';
import { newPerson, PASSWORD } from '../support/api/people.js';
import { listRouteRules } from '../support/contract/route-rules.js';
import { OWNER, type Service, startService } from '../support/services/service.js';
import { WordPressMediaLibrary } from '../support/wordpress/wordpress-media.js';
import { WordPressSite } from '../support/wordpress/wordpress-site.js';

/** With a pool of one, a request that needs a second connection waits for itself until the pool's timeout: 503. */
describe('A service with a single database connection', () => {
  let service: Service;
  let owner: Api;
  const walked: string[] = [];
  beforeAll(async () => {
    service = await startService({
      WORKER: 'inline',
      DATABASE_POOL_SIZE: '1',
      TARGETS_ALLOW_PRIVATE: 'true',
    });
    owner = await service.api.signIn(OWNER);
  });
  afterAll(() => service.stop());

  const send = async (method: string, path: string, body: unknown, expected: number, api = owner) => {
    const { status, body: response }: ApiResponse = await api.request(method, path, { body });
    walked.push(`${method} ${path}`);
    expect({ request: `${method} ${path}`, status, response }).toMatchObject({ status: expected });
    return response;
  };

  it('signs users in and out', async () => {
    const { email } = await newPerson(owner, { role: 'viewer' });
    const signedIn = await send('POST', '/auth/login', { email, password: PASSWORD }, 200);
    const refreshed = await send('POST', '/auth/refresh', { refreshToken: signedIn.refreshToken }, 200);
    const api = service.api.as(refreshed.accessToken);
    const passwords = { currentPassword: PASSWORD, newPassword: 'another-password' };
    await send('POST', '/auth/password', passwords, 204, api);
    await send('POST', '/auth/logout', undefined, 204, api);
    const form = new URLSearchParams({
      grant_type: 'password',
      username: email,
      password: 'another-password',
    });
    const response = await service.api.post('/auth/token', form.toString(), {
      'content-type': 'application/x-www-form-urlencoded',
    });
    walked.push('POST /auth/token');
    expect(response.status).toBe(200);
  });

  it('changes clients, users and API keys', async () => {
    const { clientId } = await send('POST', '/admin/clients', { name: 'Client' }, 201);
    await send('PATCH', `/admin/clients/${clientId}`, { name: 'Renamed' }, 200);
    const user = { email: 'new@test.example', password: PASSWORD, name: 'New', clientIds: [clientId] };
    const { userId } = await send('POST', '/admin/users', { ...user, role: 'client_manager' }, 201);
    const change = { role: 'client_viewer', clientIds: [clientId], isActive: false, password: PASSWORD };
    await send('PATCH', `/admin/users/${userId}`, change, 200);
    const guest = {
      email: 'guest@test.example',
      name: 'Guest',
      role: 'client_viewer',
      clientIds: [clientId],
    };
    const invited = await send('POST', '/admin/users', guest, 201);
    const { url } = await send('POST', `/admin/users/${invited.userId}/reset-link`, undefined, 201);
    const token = new URL(url as string).hash.slice(1);
    await send('POST', '/auth/invitations/check', { token }, 200);
    const accepted = await send('POST', '/auth/invitations/accept', { token, password: PASSWORD }, 200);
    const api = service.api.as(accepted.accessToken);
    await send('PATCH', '/auth/me', { name: 'Grace' }, 200, api);
    const { signIns } = await send('GET', '/auth/sign-ins', undefined, 200, api);
    await send('DELETE', '/auth/sign-ins', undefined, 204, api);
    await send('DELETE', `/auth/sign-ins/${signIns[0].signInId}`, undefined, 204, api);
    await send('POST', '/auth/password/forgot', { email: guest.email }, 202);
    const key = { name: 'Key', role: 'agent', clientIds: [clientId] };
    const { keyId } = await send('POST', '/admin/api-keys', key, 201);
    await send('DELETE', `/admin/api-keys/${keyId}`, undefined, 204);
    const picker = await send('POST', '/admin/picker-tokens', { clientId, uploads: true }, 201);
    await send('POST', '/auth/picker', { token: picker.token }, 200);
  });

  it('uploads, changes, trashes, restores and purges', async () => {
    const { clientId } = await send('POST', '/admin/clients', { name: 'Library' }, 201);
    const base = `/admin/clients/${clientId}/assets`;
    const library = new Library(owner, base);

    const cancelled = await library.upload();
    await send('POST', `${base}/upload-session/${cancelled.sessionId}/renew`, undefined, 200);
    await send('DELETE', `${base}/upload-session/${cancelled.sessionId}`, undefined, 200);
    const { folderId } = await send('POST', `${base}/folders`, { name: 'Folder' }, 201);
    const { uploadToken } = await library.upload({ folderId });
    walked.push(`POST ${base}/upload-session`);
    const { assetId } = await send('POST', `${base}/upload-session/finalize`, { uploadToken }, 201);

    await send('PATCH', `${base}/${assetId}`, { title: 'Changed', folderId }, 200);
    await send('PATCH', `${base}/folders`, { folderId, name: 'Renamed' }, 200);
    await send('POST', `${base}/bulk`, { assetIds: [assetId], action: 'move', folderId: null }, 200);
    const { url } = await send('POST', `${base}/archive`, { assetIds: [assetId] }, 201);
    await (await owner.fetch('GET', url as string)).arrayBuffer();
    await send('POST', `${base}/bulk`, { assetIds: [assetId], action: 'edit', titlePattern: '{n}' }, 200);
    await send('PATCH', base, { assets: [{ assetId, title: 'Undone' }] }, 200);
    const trashed = await send('DELETE', `${base}/${assetId}`, undefined, 200);
    await send('POST', `${base}/trash/restore`, { batchId: trashed.batchId }, 200);
    await send('DELETE', `${base}/folders`, { folderId }, 200);
    await send('POST', `${base}/bulk`, { assetIds: [assetId], action: 'trash' }, 200);
    expect([200, 202, 204]).toContain((await owner.delete(`${base}/trash`)).status);
    walked.push(`DELETE ${base}/trash`);
    await drainQueue(service);
    expect((await owner.get(`${base}/trash`)).body.items).toEqual([]);
  });

  it('keeps diagnostic records', async () => {
    const { clientId } = await send('POST', '/admin/clients', { name: 'Diagnosed' }, 201);
    const page = { slug: 'page', url: 'https://x.example/', name: 'Page' };
    await send('POST', `/admin/clients/${clientId}/landing-pages`, page, 201);
    const integration = { name: 'Shop', state: 'connected' };
    await send('PUT', `/admin/clients/${clientId}/integrations/wordpress`, integration, 200);
    await send('PUT', '/agents/seo/some-agent/runtime', { clientId, state: 'idle' }, 200);
    const connection = { clientId, state: 'connected' };
    await send('PUT', '/admin/google-ads/connections/some-connection', connection, 200);
    await send('POST', '/admin/diagnostics/storage', undefined, 200);
  });

  it('resolves and references assets, and records posts', async () => {
    const { clientId } = await send('POST', '/admin/clients', { name: 'Agents' }, 201);
    const library = new Library(owner, `/admin/clients/${clientId}/assets`);
    const { assetRef } = (await library.finalize((await library.upload()).uploadToken)).body;
    const base = `/agents/clients/${clientId}`;
    await send('POST', `${base}/assets/resolve`, { assetRefs: [assetRef], surface: 'website' }, 200);
    await send('PUT', `${base}/references/seo_post/1`, { assetRefs: [assetRef] }, 200);
    await send('DELETE', `${base}/references/seo_post/1`, undefined, 204);
    const post = { assetRef, platform: 'x', postUrl: 'https://x.example/1' };
    await send('POST', `${base}/social/posted`, post, 200);
    const { folderId } = await send('POST', `${base}/social/folders`, { name: 'Autumn' }, 201);
    await send('PATCH', `${base}/social/folders`, { folderId, name: 'Winter' }, 200);
    await send('DELETE', `${base}/social/folders`, { folderId }, 200);
  });

  it('manages targets, and holds no connection while it waits for a site', async () => {
    const { clientId } = await send('POST', '/admin/clients', { name: 'Delivered' }, 201);
    const site = await WordPressSite.start();
    try {
      const { targetId } = await send('POST', `/admin/clients/${clientId}/targets`, site.target(), 201);
      const path = `/admin/clients/${clientId}/targets/${targetId}`;
      await send('PATCH', path, { applicationPassword: 'wrong' }, 200);
      let release: () => void = () => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      const asked = new Promise<void>((resolve) => {
        site.handle('GET', /^\/$/, async () => {
          resolve();
          await released;
          return { status: 200, body: {} };
        });
      });
      const verified = send('POST', `${path}/verify`, undefined, 200);
      await asked;
      await send('PATCH', `/admin/clients/${clientId}`, { name: 'Renamed' }, 200);
      release();
      expect((await verified).ok).toBe(false);
      await send('DELETE', path, undefined, 204);
    } finally {
      await site.stop();
    }
  });

  it('serves models, and holds no connection while a call waits', async () => {
    const { clientId } = await send('POST', '/admin/clients', { name: 'Models' }, 201);
    const library = new Library(owner, `/admin/clients/${clientId}/assets`);
    const { assetRef } = (await library.finalize((await library.upload()).uploadToken)).body;
    await send('POST', `/agents/clients/${clientId}/assets/pick`, { surface: 'website' }, 200);
    const { key } = await send(
      'POST',
      '/admin/api-keys',
      { name: 'K', role: 'agent', clientIds: [clientId] },
      201,
    );
    const agent = new Agent(service.api.as(key), `/agents/clients/${clientId}`);
    const media = await WordPressMediaLibrary.start();
    try {
      const target = media.site.target();
      const { targetId } = await send('POST', `/admin/clients/${clientId}/targets`, target, 201);
      const [reached, released] = [new Signal(), new Signal()];
      media.once('upload', async () => {
        reached.fire();
        await released.wait('the end of the upload');
      });
      for (const [name, input] of [
        ['view_assets', { assetRefs: [assetRef] }],
        ['set_references', { kind: 'seo_post', externalId: '1', assetRefs: [assetRef] }],
        ['get_usages', { assetRef }],
      ] as const)
        expect(await agent.tool(name, input)).toMatchObject({ json: expect.anything() });
      const request = { targetId, assetRefs: [assetRef], surface: 'website', waitSeconds: 25 };
      const delivered = agent.tool('deliver_assets', request);
      await reached.wait('the upload');
      await send('PATCH', `/admin/clients/${clientId}`, { name: 'Renamed' }, 200);
      released.fire();
      expect((await delivered).json.deliveries).toMatchObject([{ state: 'delivered' }]);
      walked.push('POST /agents/mcp');
      await send('DELETE', '/agents/mcp', undefined, 405);
    } finally {
      await media.site.stop();
    }
  });

  it('delivers assets, and holds no connection while it sends', async () => {
    const client = await DeliveringClient.create(service, owner);
    const media = await WordPressMediaLibrary.start();
    try {
      const targetId = await client.newTarget(media.site.target());
      media.failUploads('too_large_413');
      const { assetRef } = await client.newAsset();
      const order = { assetRef, targetId, surface: 'website' };
      const { deliveryId } = await send('POST', client.path, order, 202);
      await client.waitFor(deliveryId, 'failed');
      const [reached, released] = [new Signal(), new Signal()];
      media.once('upload', async () => {
        reached.fire();
        await released.wait();
      });
      const path = `${client.admin}/deliveries`;
      await send('POST', `${path}/${deliveryId}/retry`, undefined, 202);
      await reached.wait();
      await send('POST', path, order, 200);
      await send('POST', `${path}/batch`, { assetRefs: [assetRef], targetId, surface: 'website' }, 202);
      await send('POST', `${path}/${deliveryId}/cancel`, undefined, 409);
      released.fire();
      await client.waitFor(deliveryId, 'delivered');
    } finally {
      await media.site.stop();
    }
  });

  it('has been called on every route that writes', async () => {
    const writes = (await listRouteRules()).filter(
      ({ method, path }) => method !== 'GET' && !path.startsWith('/portal/'),
    );
    expect(writes.length).toBeGreaterThan(20);
    const missing = writes.filter(({ method, path }) => {
      const template = new RegExp(`^${method} ${path.replace(/:\w+/g, '[^/]+')}$`);
      return !walked.some((request) => template.test(request));
    });
    expect(missing.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });
});

describe('Many simultaneous changes', () => {
  let service: Service;
  let owner: Api;
  beforeAll(async () => {
    service = await startService({ WORKER: 'inline', DATABASE_POOL_SIZE: '4' });
    owner = await service.api.signIn(OWNER);
  });
  afterAll(() => service.stop());

  it('of one user all succeed, and nobody else has to wait', async () => {
    const { clientId } = (await owner.post('/admin/clients', { name: 'Client' })).body;
    const { clientId: otherClientId } = (await owner.post('/admin/clients', { name: 'Other' })).body;
    const person = await newPerson(owner, { role: 'viewer', clientIds: [clientId] });
    const other = await newPerson(owner, { role: 'client_manager', clientIds: [otherClientId] });

    const changes = Array.from({ length: 20 }, (_, index) =>
      owner.patch(`/admin/users/${person.userId}`, { name: `Name ${index}`, clientIds: [clientId] }),
    );
    const reads = Array.from({ length: 20 }, () => other.api.get('/portal/assets'));
    expect((await Promise.all(changes)).map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect((await Promise.all(reads)).map(({ status }) => status)).toEqual(Array(20).fill(200));
  });

  it('of one user together hold one connection while they wait for the row', async () => {
    const person = await newPerson(owner, { role: 'viewer' });
    const locker = new Client({ connectionString: service.databaseUrl });
    await locker.connect();
    try {
      await locker.query('BEGIN');
      await locker.query('SELECT 1 FROM users WHERE id = $1 FOR UPDATE', [person.userId]);
      const changes = Array.from({ length: 20 }, (_, index) =>
        owner.patch(`/admin/users/${person.userId}`, { name: `Name ${index}` }),
      );
      await delay(500);
      for (let read = 0; read < 5; read++) expect((await owner.get('/admin/clients')).status).toBe(200);
      await locker.query('COMMIT');
      expect((await Promise.all(changes)).map(({ status }) => status)).toEqual(Array(20).fill(200));
    } finally {
      await locker.end();
    }
  });

  it("of one client's folders hold one connection while they wait for the lock", async () => {
    const { clientId } = (await owner.post('/admin/clients', { name: 'Busy' })).body;
    const { clientId: otherClientId } = (await owner.post('/admin/clients', { name: 'Other' })).body;
    const create = (client: string, name: string) =>
      owner.post(`/admin/clients/${client}/assets/folders`, { name });
    const locker = new Client({ connectionString: service.databaseUrl });
    await locker.connect();
    try {
      await locker.query('BEGIN');
      await locker.query(`SELECT pg_advisory_xact_lock(hashtextextended('folders:' || $1, 0))`, [clientId]);
      const changes = Array.from({ length: 20 }, (_, index) => create(clientId, `Folder ${index}`));
      await delay(500);
      for (let change = 0; change < 5; change++)
        expect((await create(otherClientId, `Folder ${change}`)).status).toBe(201);
      await locker.query('COMMIT');
      expect((await Promise.all(changes)).map(({ status }) => status)).toEqual(Array(20).fill(201));
    } finally {
      await locker.end();
    }
  });
});
