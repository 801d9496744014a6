import { setTimeout as delay } from 'node:timers/promises';
import type { Api } from '../support/api/api.js';
import { newClient, newKey, newPerson, PASSWORD } from '../support/api/people.js';
import { expectProblem } from '../support/api/problems.js';
import { OWNER, type Service, startService } from '../support/services/service.js';

describe('A change of permissions', () => {
  let service: Service;
  /** A second process on the same database: nothing may be remembered there either. */
  let replica: Service;
  let owner: Api;
  beforeAll(async () => {
    service = await startService();
    replica = await service.another();
    owner = await service.api.signIn(OWNER);
  });
  afterAll(() => Promise.all([service.stop(), replica.stop()]));

  const change = async (userId: string, body: unknown) =>
    expect(await owner.patch(`/admin/users/${userId}`, body)).toMatchObject({ status: 200 });
  const signIn = async (user: { email: string }) =>
    (await service.api.post('/auth/login', { email: user.email, password: PASSWORD })).body;
  const everywhere = (token: string) => [service.api.as(token), replica.api.as(token)];

  it('applies to a deactivated user on the next request, on every process', async () => {
    const person = await newPerson(owner, { role: 'operator' });
    const { accessToken, refreshToken } = await signIn(person);
    for (const api of everywhere(accessToken)) expect((await api.get('/auth/me')).status).toBe(200);

    await change(person.userId, { isActive: false });
    for (const api of everywhere(accessToken))
      expectProblem(await api.get('/auth/me'), 401, 'unauthenticated');
    expectProblem(await service.api.post('/auth/refresh', { refreshToken }), 401, 'account_inactive');
  });

  it('does not revive old sign-ins when the user becomes active again', async () => {
    const person = await newPerson(owner, { role: 'operator' });
    const { accessToken, refreshToken } = await signIn(person);
    await change(person.userId, { isActive: false });
    await change(person.userId, { isActive: true });

    for (const api of everywhere(accessToken))
      expectProblem(await api.get('/auth/me'), 401, 'unauthenticated');
    expectProblem(await service.api.post('/auth/refresh', { refreshToken }), 401, 'refresh_token_invalid');
    expect(await signIn(person)).toMatchObject({ tokenType: 'Bearer' });
  });

  it('applies to a user with a new role on the next request, on every process', async () => {
    const person = await newPerson(owner, { role: 'owner' });
    const { accessToken } = await signIn(person);
    for (const api of everywhere(accessToken)) expect((await api.get('/admin/users')).status).toBe(200);

    await change(person.userId, { role: 'viewer' });
    for (const api of everywhere(accessToken)) {
      expectProblem(await api.get('/admin/users'), 403, 'permission_denied');
      expect((await api.get('/auth/me')).body.role).toBe('viewer');
    }
  });

  it('applies to a user with fewer clients on the next request, on every process', async () => {
    const [kept, lost] = [await newClient(owner), await newClient(owner)];
    const person = await newPerson(owner, { role: 'operator', clientIds: [kept, lost] });
    const { accessToken } = await signIn(person);
    for (const api of everywhere(accessToken))
      expect((await api.get(`/admin/clients/${lost}`)).status).toBe(200);

    await change(person.userId, { clientIds: [kept] });
    for (const api of everywhere(accessToken)) {
      expectProblem(await api.get(`/admin/clients/${lost}`), 404, 'client_not_found');
      expect((await api.get(`/admin/clients/${kept}`)).status).toBe(200);
    }
    await change(person.userId, { clientIds: [] });
    for (const api of everywhere(accessToken)) {
      expectProblem(await api.get(`/admin/clients/${kept}`), 404, 'client_not_found');
      expect((await api.get('/admin/clients')).body.clients).toEqual([]);
    }
  });

  it('ends the sign-ins of a user whose password is reset', async () => {
    const person = await newPerson(owner, { role: 'operator' });
    const { accessToken } = await signIn(person);
    await change(person.userId, { password: 'reset-by-the-owner' });
    for (const api of everywhere(accessToken))
      expectProblem(await api.get('/auth/me'), 401, 'unauthenticated');
    const again = { email: person.email, password: 'reset-by-the-owner' };
    expect((await service.api.post('/auth/login', again)).status).toBe(200);
  });

  it('leaves sign-ins alone when only the name changes', async () => {
    const person = await newPerson(owner, { role: 'operator' });
    await change(person.userId, { name: 'Renamed' });
    expect(await person.api.get('/auth/me')).toMatchObject({
      status: 200,
      body: { name: 'Renamed', role: 'operator' },
    });
  });

  it('applies to a revoked key on the next request, on every process', async () => {
    const { keyId, key } = await newKey(owner, { role: 'viewer' });
    for (const api of everywhere(key)) expect((await api.get('/auth/me')).status).toBe(200);
    expect((await owner.delete(`/admin/api-keys/${keyId}`)).status).toBe(204);
    for (const api of everywhere(key)) expectProblem(await api.get('/auth/me'), 401, 'unauthenticated');
    expect((await owner.delete(`/admin/api-keys/${keyId}`)).status).toBe(204);
  });

  it('applies to a key that expires', async () => {
    // Less than the 5 s for which callers are cached.
    const expiresAt = Date.now() + 4_500;
    const { key } = await newKey(owner, { role: 'viewer', expiresAt: new Date(expiresAt).toISOString() });
    for (const api of everywhere(key)) expect((await api.get('/auth/me')).status).toBe(200);
    await delay(expiresAt + 1 - Date.now());
    for (const api of everywhere(key)) expectProblem(await api.get('/auth/me'), 401, 'unauthenticated');
  });

  it('accepts a key as a bearer token and in its own header', async () => {
    const { keyId, key } = await newKey(owner, { role: 'viewer' });
    const expected = {
      status: 200,
      body: { userId: keyId, email: null, name: 'Test key', role: 'viewer', clientIds: null },
    };
    expect(await service.api.as(key).get('/auth/me')).toMatchObject(expected);
    expect(await service.api.get('/auth/me', { 'x-api-key': key })).toMatchObject(expected);
    expectProblem(await service.api.get('/auth/me', { 'x-api-key': `${key}x` }), 401, 'unauthenticated');
    expectProblem(
      await service.api.get('/auth/me', { 'x-api-key': key.toUpperCase() }),
      401,
      'unauthenticated',
    );
  });
});
