import type { Api } from '../support/api/api.js';
import { newClient, newKey, newPerson } from '../support/api/people.js';
import { expectProblem, pathsOf } from '../support/api/problems.js';
import { OWNER, query, type RunningService } from '../support/services/service.js';
import { sharedService } from '../support/services/shared-service.js';

const UNKNOWN = 'nobody-knows-this';

describe('Diagnostic records', () => {
  let service: RunningService;
  let owner: Api;
  let mine: string;
  let theirs: string;
  /** For `mine` only. */
  let operator: Api;
  let viewer: Api;
  let agent: Api;
  let portal: Api;
  beforeAll(async () => {
    service = await sharedService();
    owner = await service.api.signIn(OWNER);
    [mine, theirs] = [await newClient(owner), await newClient(owner)];
    operator = (await newPerson(owner, { role: 'operator', clientIds: [mine] })).api;
    viewer = (await newPerson(owner, { role: 'viewer', clientIds: [mine] })).api;
    agent = service.api.as((await newKey(owner, { role: 'agent', clientIds: [mine] })).key);
    portal = (await newPerson(owner, { role: 'client_manager', clientIds: [mine] })).api;
  });

  const expectDenied = async (response: ReturnType<Api['get']>, permission: string) => {
    const given = await response;
    expectProblem(given, 403, 'permission_denied');
    expect(JSON.stringify(given.body)).toContain(permission);
  };

  describe('Integrations of a client', () => {
    const path = (clientId: string, kind: string) => `/admin/clients/${clientId}/integrations/${kind}`;

    it('are part of the client record, with the time of their last verification', async () => {
      expect((await viewer.get(`/admin/clients/${mine}`)).body.integrations).toEqual([]);
      const before = Date.now();
      const put = await operator.put(path(mine, 'wordpress'), {
        name: ' bakery.example ',
        state: 'connected',
        detail: 'Reads and writes',
      });
      expect(put.status).toBe(200);
      await operator.put(path(mine, 'gbp'), {
        name: 'Profile',
        state: 'revoked',
        lastVerifiedAt: '2026-01-02T03:04:05Z',
      });

      const { body } = await viewer.get(`/admin/clients/${mine}`);
      expect(body).toMatchObject({ clientId: mine, name: 'Test client' });
      expect(body.integrations).toEqual([
        {
          kind: 'gbp',
          name: 'Profile',
          state: 'revoked',
          lastVerifiedAt: '2026-01-02T03:04:05.000Z',
          detail: null,
        },
        {
          kind: 'wordpress',
          name: 'bakery.example',
          state: 'connected',
          lastVerifiedAt: put.body.lastVerifiedAt,
          detail: 'Reads and writes',
        },
      ]);
      expect(Date.parse(put.body.lastVerifiedAt as string)).toBeGreaterThanOrEqual(before - 1000);
    });

    it('are replaced by the next PUT, and the change is audited', async () => {
      await operator.put(path(mine, 'shop'), { name: 'Shop', state: 'connected', detail: 'fine' });
      await operator.put(path(mine, 'shop'), { name: 'Shop', state: 'error' });
      const { body } = await owner.get(`/admin/clients/${mine}`);
      expect(body.integrations.filter(({ kind }: { kind: string }) => kind === 'shop')).toEqual([
        expect.objectContaining({ state: 'error', detail: null }),
      ]);
      const audit = await owner.get(`/admin/clients/${mine}/audit`);
      expect(JSON.stringify(audit.body)).toContain('integration.update');
    });

    it('are hidden from others: 403 without the permission, 404 outside their own clients', async () => {
      const body = { name: 'x', state: 'connected' };
      await expectDenied(viewer.put(path(mine, 'x'), body), 'diagnostics:manage');
      await expectDenied(agent.put(path(mine, 'x'), body), 'diagnostics:manage');
      await expectDenied(portal.get(`/admin/clients/${mine}`), 'platform:access');
      expectProblem(await operator.put(path(theirs, 'x'), body), 404, 'client_not_found');
      expectProblem(await operator.get(`/admin/clients/${theirs}`), 404, 'client_not_found');
      expectProblem(await owner.put(path(UNKNOWN, 'x'), body), 404, 'client_not_found');
      expectProblem(await service.api.put(path(mine, 'x'), body), 401, 'unauthenticated');
    });

    it.each([
      ['an unknown state', { name: 'x', state: 'perfect' }, 'state'],
      ['no name', { state: 'connected' }, 'name'],
      ['an invalid time', { name: 'x', state: 'connected', lastVerifiedAt: 'soon' }, 'lastVerifiedAt'],
      ['a misspelled field', { name: 'x', state: 'connected', detial: 'x' }, 'detial'],
    ])('are rejected with %s', async (_what, body, field) => {
      const response = await operator.put(path(mine, 'x'), body);
      expectProblem(response, 400, 'validation_failed');
      expect(pathsOf(response)).toContain(field);
    });

    it.each(['a b', '%3Cscript%3E', '-x', 'x'.repeat(65), '..%2F..'])(
      'are rejected under the kind %s',
      async (kind) => {
        const response = await operator.put(path(mine, kind), { name: 'x', state: 'connected' });
        expect([400, 404]).toContain(response.status);
      },
    );
  });

  describe('Runtime of an SEO agent', () => {
    const report = (api: Api, agentId: string, body: object) =>
      api.put(`/agents/seo/${agentId}/runtime`, body);
    const read = (api: Api, agentId: string, clientId?: string) =>
      api.get(`/admin/seo/agents/${agentId}/runtime${clientId === undefined ? '' : `?clientId=${clientId}`}`);

    it("is the agent's last report, by API key in either header", async () => {
      const first = await report(agent, 'seo-1', { clientId: mine, state: 'running', task: 'Autumn breads' });
      expect(first.status).toBe(200);
      expect((await read(viewer, 'seo-1')).body).toEqual({
        agentId: 'seo-1',
        clientId: mine,
        state: 'running',
        task: 'Autumn breads',
        lastHeartbeatAt: first.body.lastHeartbeatAt,
        stale: false,
        detail: null,
      });
      const { key } = await newKey(owner, { role: 'agent', clientIds: [mine] });
      const second = await service.api.put(
        '/agents/seo/seo-1/runtime',
        { clientId: mine, state: 'failed', detail: 'No answer' },
        { 'x-api-key': key },
      );
      expect(second.body).toMatchObject({ state: 'failed', task: null, detail: 'No answer' });
      expect((await read(operator, 'seo-1')).body).toEqual(second.body);
    });

    it('is stale when no heartbeat arrived for five minutes, until the next one', async () => {
      await report(agent, 'seo-2', { clientId: mine, state: 'idle' });
      const age = (minutes: number) =>
        query(
          service.databaseUrl,
          'UPDATE seo_agents SET last_heartbeat_at = now() - make_interval(mins => $2) WHERE id = $1',
          ['seo-2', minutes],
        );
      await age(4);
      expect((await read(operator, 'seo-2')).body).toMatchObject({ stale: false });
      await age(6);
      expect((await read(operator, 'seo-2')).body).toMatchObject({ state: 'idle', stale: true });
      await report(agent, 'seo-2', { clientId: mine, state: 'idle' });
      expect((await read(operator, 'seo-2')).body).toMatchObject({ stale: false });
    });

    it('is hidden from others', async () => {
      await report(owner, 'seo-theirs', { clientId: theirs, state: 'idle' });
      for (const api of [operator, viewer]) {
        expectProblem(await read(api, 'seo-theirs'), 404, 'agent_not_found');
        expectProblem(await read(api, UNKNOWN), 404, 'agent_not_found');
      }
      expectProblem(await report(agent, 'x', { clientId: theirs, state: 'idle' }), 404, 'client_not_found');
      expectProblem(await report(agent, 'x', { clientId: UNKNOWN, state: 'idle' }), 404, 'client_not_found');
      await expectDenied(read(agent, 'seo-1'), 'diagnostics:read');
      await expectDenied(read(portal, 'seo-1'), 'platform:access');
      await expectDenied(report(viewer, 'x', { clientId: mine, state: 'idle' }), 'diagnostics:report');
      expectProblem(await service.api.get('/admin/seo/agents/seo-1/runtime'), 401, 'unauthenticated');
    });

    it('belongs to its client: another client can use the same id', async () => {
      await report(owner, 'seo-same', { clientId: theirs, state: 'waiting', task: 'Of theirs' });
      const own = await report(agent, 'seo-same', { clientId: mine, state: 'stopped' });
      expect(own.status).toBe(200);
      // The operator has access to one of the two.
      expect((await read(operator, 'seo-same')).body).toEqual(own.body);
      expectProblem(await read(operator, `seo-same`, theirs), 404, 'agent_not_found');
      expect((await read(owner, 'seo-same', theirs)).body).toMatchObject({
        clientId: theirs,
        task: 'Of theirs',
      });
      expect((await read(owner, 'seo-same', mine)).body).toEqual(own.body);
      expectProblem(await read(owner, 'seo-same', UNKNOWN), 404, 'agent_not_found');
    });

    it('needs the client if several of the caller use the id', async () => {
      const both = [await newClient(owner), await newClient(owner)].sort();
      const caller = (await newPerson(owner, { role: 'viewer', clientIds: both })).api;
      for (const clientId of [...both, theirs]) await report(owner, 'seo-many', { clientId, state: 'idle' });
      const unclear = await read(caller, 'seo-many');
      expectProblem(unclear, 409, 'client_required');
      expect(unclear.body.clientIds).toEqual(both);
      expect((await read(caller, 'seo-many', both[1])).body).toMatchObject({ clientId: both[1] });
      for (const clientId of [theirs, 'x'.repeat(64)])
        expectProblem(await read(caller, 'seo-many', clientId), 404, 'agent_not_found');
      for (const query of ['clientId=', 'clientId=a%20b', 'clientId=a&clientId=b', 'client=x'])
        expectProblem(
          await caller.get(`/admin/seo/agents/seo-many/runtime?${query}`),
          400,
          'validation_failed',
        );
    });

    it('is listed with those of the other agents of the client, in pages', async () => {
      const clientId = await newClient(owner);
      const list = (api: Api, query = '') => api.get(`/admin/clients/${clientId}/seo-agents${query}`);
      expect((await list(owner)).body).toEqual({ agents: [], nextCursor: null });
      const reported = [];
      for (const id of ['b-2', 'a', 'b-1'])
        reported.push((await report(owner, id, { clientId, state: 'running', task: id })).body);
      await report(owner, 'other', { clientId: mine, state: 'idle' });
      const [b2, a, b1] = reported;
      expect((await list(owner)).body).toEqual({ agents: [a, b1, b2], nextCursor: null });
      const first = (await list(owner, '?limit=2')).body;
      expect(first).toMatchObject({ agents: [a, b1], nextCursor: expect.any(String) });
      const rest = await list(owner, `?limit=2&cursor=${first.nextCursor}`);
      expect(rest.body).toEqual({ agents: [b2], nextCursor: null });
      expectProblem(await list(viewer), 404, 'client_not_found');
    });

    it.each([
      ['an unknown state', 'seo-x', { state: 'dancing' }, 'state'],
      ['no client', 'seo-x', { clientId: undefined, state: 'idle' }, 'clientId'],
      ['an endless task', 'seo-x', { state: 'idle', task: 'x'.repeat(501) }, 'task'],
      ['an invalid id', 'seo%20x', { state: 'idle' }, 'agentId'],
    ])('is rejected with %s', async (_what, agentId, body, field) => {
      const response = await report(agent, agentId, { clientId: mine, ...body });
      expectProblem(response, 400, 'validation_failed');
      expect(pathsOf(response)).toContain(field);
    });
  });

  describe('Advertising connections', () => {
    const at = (provider: string, id: string) => `/admin/${provider}-ads/connections/${id}`;

    it.each(['google', 'meta', 'microsoft', 'linkedin', 'tiktok', 'pinterest'])(
      'of %s are reported by operators and agents and read by operators',
      async (provider) => {
        const reported = await agent.put(at(provider, 'main'), {
          clientId: mine,
          state: 'connected',
          accountId: '123-456',
          tokenExpiresAt: '2030-01-01T00:00:00Z',
        });
        expect(reported.status).toBe(200);
        const read = await operator.get(at(provider, 'main'));
        expect(read.body).toEqual({
          connectionId: 'main',
          provider,
          clientId: mine,
          state: 'connected',
          accountId: '123-456',
          tokenExpiresAt: '2030-01-01T00:00:00.000Z',
          lastCheckedAt: reported.body.lastCheckedAt,
          detail: null,
        });
        await operator.put(at(provider, 'main'), {
          clientId: mine,
          state: 'expired',
          detail: 'Sign in again',
        });
        expect((await viewer.get(at(provider, 'main'))).body).toMatchObject({
          state: 'expired',
          accountId: null,
          tokenExpiresAt: null,
          detail: 'Sign in again',
        });
      },
    );

    it('are listed for a client, in pages', async () => {
      const clientId = await newClient(owner);
      const list = (api: Api, query = '') => api.get(`/admin/clients/${clientId}/ads-connections${query}`);
      expect((await list(owner)).body).toEqual({ connections: [], nextCursor: null });
      const reported = [];
      for (const [provider, id] of [
        ['meta', 'a'],
        ['google', 'b'],
        ['google', 'a'],
      ] as const)
        reported.push((await owner.put(at(provider, id), { clientId, state: 'connected' })).body);
      await owner.put(at('google', 'c'), { clientId: mine, state: 'connected' });
      const [metaA, googleB, googleA] = reported;
      const all = [googleA, googleB, metaA];
      expect((await list(owner)).body).toEqual({ connections: all, nextCursor: null });
      const listed = [];
      for (let query = '?limit=1'; query !== '';) {
        const { connections, nextCursor } = (await list(owner, query)).body;
        listed.push(...connections);
        query = nextCursor === null ? '' : `?limit=1&cursor=${nextCursor}`;
      }
      expect(listed).toEqual(all);
      expectProblem(await list(viewer), 404, 'client_not_found');
    });

    it('are separate per provider', async () => {
      await operator.put(at('google', 'apart'), { clientId: mine, state: 'connected' });
      expectProblem(await operator.get(at('meta', 'apart')), 404, 'connection_not_found');
    });

    it.each(['myspace', 'Google', 'google-ads', '%00', '__proto__'])(
      'of an unknown provider (%s) are not found',
      async (provider) => {
        for (const response of [
          await operator.get(at(provider, 'main')),
          await operator.put(at(provider, 'main'), { clientId: mine, state: 'connected' }),
        ]) {
          expect([400, 404]).toContain(response.status);
          expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
        }
      },
    );

    it('are hidden from others', async () => {
      await owner.put(at('meta', 'theirs'), { clientId: theirs, state: 'connected' });
      expectProblem(await operator.get(at('meta', 'theirs')), 404, 'connection_not_found');
      const elsewhere = { clientId: theirs, state: 'connected' };
      expectProblem(await operator.put(at('meta', 'new'), elsewhere), 404, 'client_not_found');
      await expectDenied(agent.get(at('meta', 'main')), 'diagnostics:read');
      await expectDenied(
        viewer.put(at('meta', 'main'), { clientId: mine, state: 'revoked' }),
        'diagnostics:report',
      );
      await expectDenied(portal.get(at('meta', 'main')), 'platform:access');
    });

    it('belong to their client: another client can use the same id', async () => {
      await owner.put(at('meta', 'same'), { clientId: theirs, state: 'connected', accountId: 'Of theirs' });
      const own = await agent.put(at('meta', 'same'), { clientId: mine, state: 'revoked' });
      expect(own.status).toBe(200);
      expect((await operator.get(at('meta', 'same'))).body).toEqual(own.body);
      expectProblem(
        await operator.get(`${at('meta', 'same')}?clientId=${theirs}`),
        404,
        'connection_not_found',
      );
      const unclear = await owner.get(at('meta', 'same'));
      expectProblem(unclear, 409, 'client_required');
      expect(unclear.body.clientIds).toEqual([mine, theirs].sort());
      expect((await owner.get(`${at('meta', 'same')}?clientId=${theirs}`)).body).toMatchObject({
        clientId: theirs,
        state: 'connected',
        accountId: 'Of theirs',
      });
      expectProblem(await owner.get(`${at('meta', 'same')}?clientId=a%20b`), 400, 'validation_failed');
    });

    it.each([
      ['an unknown state', 'x', { state: 'fine' }, 'state'],
      ['an invalid time', 'x', { state: 'connected', tokenExpiresAt: 'never' }, 'tokenExpiresAt'],
      ['an invalid id', 'a.b', { state: 'connected' }, 'connectionId'],
    ])('are rejected with %s', async (_what, id, body, field) => {
      const response = await operator.put(at('google', id), { clientId: mine, ...body });
      expectProblem(response, 400, 'validation_failed');
      expect(pathsOf(response)).toContain(field);
    });
  });
});
