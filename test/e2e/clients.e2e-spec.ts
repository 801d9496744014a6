import type { Api } from '../support/api/api.js';
import { newClient, newKey, newPerson } from '../support/api/people.js';
import { expectProblem } from '../support/api/problems.js';
import { OWNER, query, type RunningService } from '../support/services/service.js';
import { sharedService } from '../support/services/shared-service.js';

describe('Clients', () => {
  let service: RunningService;
  let owner: Api;
  beforeAll(async () => {
    service = await sharedService();
    owner = await service.api.signIn(OWNER);
  });

  const eventsOf = async (clientId: string) =>
    (await owner.get(`/admin/clients/${clientId}/audit`)).body.events;
  const countEvents = (clientId: string) =>
    query(service.databaseUrl, `SELECT count(*) FROM events WHERE client_id = $1 OR action LIKE 'client.%'`, [
      clientId,
    ]);

  it('are created under an id of the caller’s choice', async () => {
    const response = await owner.post('/admin/clients', {
      clientId: 'Corner_Bakery-1',
      name: '  Corner Bakery ',
    });
    expect(response.status).toBe(201);
    expect(response.body).toMatchObject({ clientId: 'Corner_Bakery-1', name: 'Corner Bakery' });
    expect(await owner.get('/admin/clients/Corner_Bakery-1')).toMatchObject({
      status: 200,
      body: response.body,
    });
  });

  it('are created under a generated id otherwise', async () => {
    const { body } = await owner.post('/admin/clients', { name: 'Generated' });
    expect(body.clientId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('come with Social and Social/Posted', async () => {
    const clientId = await newClient(owner);
    const folders = await query(
      service.databaseUrl,
      `SELECT f.name, f.system_key, parent.name AS parent
         FROM folders f LEFT JOIN folders parent ON parent.id = f.parent_id
        WHERE f.client_id = $1 ORDER BY f.name`,
      [clientId],
    );
    expect(folders).toEqual([
      { name: 'Posted', system_key: 'social_posted', parent: 'Social' },
      { name: 'Social', system_key: 'social', parent: null },
    ]);
  });

  it('keep their id unique, also under concurrent creations', async () => {
    const create = () => owner.post('/admin/clients', { clientId: 'wanted', name: 'Wanted' });
    const responses = await Promise.all([create(), create(), create(), create()]);
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    expectProblem(await create(), 409, 'client_id_taken');
    expect(await eventsOf('wanted')).toHaveLength(1);
  });

  it.each(['', '-a', '_a', 'a b', 'a/b', '../a', 'ä', 'a'.repeat(65), 'a\n', 5, ['a']])(
    'reject the id %j',
    async (clientId) =>
      expectProblem(await owner.post('/admin/clients', { clientId, name: 'X' }), 400, 'validation_failed'),
  );

  it.each(['', '   ', 'x'.repeat(201), null, 5])('reject the name %j', async (name) => {
    expectProblem(await owner.post('/admin/clients', { name }), 400, 'validation_failed');
  });

  it('are renamed', async () => {
    const clientId = await newClient(owner, 'Before');
    const response = await owner.patch(`/admin/clients/${clientId}`, { name: 'After' });
    expect(response).toMatchObject({ status: 200, body: { clientId, name: 'After' } });
    expect((await owner.get(`/admin/clients/${clientId}`)).body.name).toBe('After');
  });

  it('are listed page by page, each once, in order', async () => {
    const mine = await Promise.all([1, 2, 3, 4, 5].map(() => newClient(owner)));
    const operator = await newPerson(owner, { role: 'operator', clientIds: mine });
    const pages: string[][] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await operator.api.get(`/admin/clients?limit=2${cursor && `&cursor=${cursor}`}`);
      pages.push(body.clients.map(({ clientId }: { clientId: string }) => clientId));
      cursor = body.nextCursor;
    }
    expect(pages.map((page) => page.length)).toEqual([2, 2, 1]);
    expect(pages.flat()).toEqual([...mine].sort());
  });

  describe('of others', () => {
    let mine: string;
    let theirs: string;
    let operator: Api;
    let limitedOwner: Api;
    beforeAll(async () => {
      [mine, theirs] = [await newClient(owner), await newClient(owner)];
      operator = (await newPerson(owner, { role: 'operator', clientIds: [mine] })).api;
      limitedOwner = (await newPerson(owner, { role: 'owner', clientIds: [mine] })).api;
    });

    it('do not show in the list', async () => {
      const { body } = await operator.get('/admin/clients');
      expect(body.clients.map(({ clientId }: { clientId: string }) => clientId)).toEqual([mine]);
    });

    it.each(['', '/audit'])('cannot be distinguished from clients that do not exist (%s)', async (below) => {
      const foreign = await operator.get(`/admin/clients/${theirs}${below}`);
      const missing = await operator.get(`/admin/clients/no-such-client${below}`);
      expectProblem(foreign, 404, 'client_not_found');
      expect({ ...foreign.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' });
      const comparable = ({ headers }: { headers: Headers }) =>
        [...headers].filter(([name]) => !['x-request-id', 'date'].includes(name));
      expect(comparable(foreign)).toEqual(comparable(missing));
    });

    it('cannot be changed, nor created by callers limited to some clients', async () => {
      expectProblem(
        await limitedOwner.patch(`/admin/clients/${theirs}`, { name: 'Mine' }),
        404,
        'client_not_found',
      );
      expectProblem(await limitedOwner.post('/admin/clients', { name: 'New' }), 403, 'grant_not_held');
    });

    it('are rejected by permission before anything about them is revealed', async () => {
      const response = await operator.patch(`/admin/clients/${theirs}`, { name: 'Mine' });
      expectProblem(response, 403, 'permission_denied');
      expect(response.body.permission).toBe('clients:manage');
    });

    it('are not accessible from the portal', async () => {
      const portal = await newPerson(owner, { role: 'client_manager', clientIds: [mine] });
      for (const path of ['/admin/clients', `/admin/clients/${mine}`, `/admin/clients/${theirs}`]) {
        const response = await portal.api.get(path);
        expectProblem(response, 403, 'permission_denied');
        expect(response.body.permission).toBe('platform:access');
      }
    });
  });

  describe('and their audit log', () => {
    it('records who did what, with before, after and the request', async () => {
      const clientId = await newClient(owner, 'Before');
      const { keyId, key } = await newKey(owner, { role: 'owner' });
      const me = (await owner.get('/auth/me')).body;
      await service.api
        .as(key)
        .patch(`/admin/clients/${clientId}`, { name: 'After' }, { 'x-request-id': 'rename-1' });

      const [renamed, created, ...more] = await eventsOf(clientId);
      expect(renamed).toMatchObject({
        action: 'client.update',
        subjectKind: 'client',
        subjectId: clientId,
        actor: { kind: 'api_key', id: keyId, name: 'Test key' },
        before: { name: 'Before' },
        after: { name: 'After' },
        requestId: 'rename-1',
      });
      expect(created).toMatchObject({
        action: 'client.create',
        actor: { kind: 'user', id: me.userId, name: OWNER.email },
        before: null,
        after: { name: 'Before' },
      });
      expect(Math.abs(Date.now() - Date.parse(renamed.at))).toBeLessThan(60_000);
      expect(more).toEqual([]);
    });

    it('contains nothing about rejected requests', async () => {
      const clientId = await newClient(owner);
      const viewer = await newPerson(owner, { role: 'viewer' });
      const before = await countEvents(clientId);
      await owner.post('/admin/clients', { clientId, name: 'Taken' });
      await owner.patch(`/admin/clients/${clientId}`, { name: '' });
      await viewer.api.patch(`/admin/clients/${clientId}`, { name: 'Denied' });
      await owner.patch('/admin/clients/no-such-client', { name: 'Nowhere' });
      expect(await countEvents(clientId)).toEqual(before);
    });

    it('is part of the change: neither is stored without the other', async () => {
      const clientId = await newClient(owner, 'Before');
      await query(
        service.databaseUrl,
        `ALTER TABLE events ADD CONSTRAINT broken CHECK (action <> 'client.update') NOT VALID`,
      );
      try {
        const response = await owner.patch(`/admin/clients/${clientId}`, { name: 'After' });
        expectProblem(response, 500, 'internal_error');
        expect(JSON.stringify(response.body)).not.toContain('broken');
      } finally {
        await query(service.databaseUrl, `ALTER TABLE events DROP CONSTRAINT broken`);
      }
      expect((await owner.get(`/admin/clients/${clientId}`)).body.name).toBe('Before');
    });

    it('is readable page by page and only with the permission', async () => {
      const clientId = await newClient(owner);
      for (const name of ['A', 'B', 'C']) await owner.patch(`/admin/clients/${clientId}`, { name });
      const first = (await owner.get(`/admin/clients/${clientId}/audit?limit=3`)).body;
      const second = (await owner.get(`/admin/clients/${clientId}/audit?limit=3&cursor=${first.nextCursor}`))
        .body;
      const actions = [...first.events, ...second.events].map(({ after }) => after.name);
      expect(actions).toEqual(['C', 'B', 'A', 'Test client']);
      expect(second.nextCursor).toBeNull();
      const { key } = await newKey(owner, { role: 'agent' });
      expectProblem(
        await service.api.as(key).get(`/admin/clients/${clientId}/audit`),
        403,
        'permission_denied',
      );
    });
  });
});
