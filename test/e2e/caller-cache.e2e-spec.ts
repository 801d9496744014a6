import type { Api } from '../support/api/api.js';
import { eventually, Signal } from '../support/eventually.js';
import { newKey, newPerson, PASSWORD, type Person } from '../support/api/people.js';
import { expectProblem } from '../support/api/problems.js';
import { OWNER, query, type Service, startService } from '../support/services/service.js';
import { StatementProxy } from '../support/faults/statement-proxy.js';

const FIND_CALLER = /find-active-(user|key)/;

describe('The cache of callers', () => {
  /** Where changes are made. */
  let service: Service;
  /** Another process, which must be notified of them. */
  let replica: Service;
  let proxy: StatementProxy;
  let lookups: { readonly times: number };
  let owner: Api;
  beforeAll(async () => {
    service = await startService();
    proxy = await StatementProxy.to(service.databaseUrl);
    lookups = proxy.count(FIND_CALLER);
    replica = await service.another({ DATABASE_URL: proxy.via(service.databaseUrl) });
    owner = await service.api.signIn(OWNER);
  });
  afterEach(() => proxy.heal());
  afterAll(async () => {
    await Promise.all([service.stop(), replica.stop()]);
    await proxy.close();
  });

  const signIn = async ({ email }: Person): Promise<string> =>
    (await service.api.post('/auth/login', { email, password: PASSWORD })).body.accessToken;

  /** The number of lookups that this many requests cause on the replica. */
  const lookupsOf = async (token: string, requests = 3): Promise<number> => {
    const before = lookups.times;
    for (let sent = 0; sent < requests; sent++)
      expect((await replica.api.as(token).get('/auth/me')).status).toBe(200);
    return lookups.times - before;
  };
  const cached = (token: string) => eventually(async () => expect(await lookupsOf(token)).toBe(0), 10_000);

  it('looks a user or a key up once for many requests', async () => {
    const person = await newPerson(owner, { role: 'viewer' });
    const token = await signIn(person);
    const { key } = await newKey(owner, { role: 'viewer' });
    await cached(token);
    await cached(key);
    expect(await replica.api.as(token).get('/auth/me')).toMatchObject({ body: { userId: person.userId } });
    expectProblem(await replica.api.get('/auth/me', { 'x-api-key': token }), 401, 'unauthenticated');
  });

  it('does not cache rejected callers', async () => {
    const { key } = await newKey(owner, { role: 'viewer' });
    const before = lookups.times;
    for (let sent = 0; sent < 3; sent++)
      expectProblem(await replica.api.as(`${key}x`).get('/auth/me'), 401, 'unauthenticated');
    expect(lookups.times - before).toBe(3);
  });

  it.each([
    ['deactivates the user', { isActive: false }],
    ['resets the password', { password: 'reset-by-the-owner' }],
  ])('rejects the next request after another process %s', async (_what, change) => {
    const person = await newPerson(owner, { role: 'operator' });
    const token = await signIn(person);
    await cached(token);
    expect((await owner.patch(`/admin/users/${person.userId}`, change)).status).toBe(200);
    expectProblem(await replica.api.as(token).get('/auth/me'), 401, 'unauthenticated');
  });

  it('applies a new role to the next request after another process changes it', async () => {
    const person = await newPerson(owner, { role: 'owner' });
    const token = await signIn(person);
    await cached(token);
    await owner.patch(`/admin/users/${person.userId}`, { role: 'viewer' });
    expectProblem(await replica.api.as(token).get('/admin/users'), 403, 'permission_denied');
  });

  it('rejects the next request after another process revokes the key', async () => {
    const { keyId, key } = await newKey(owner, { role: 'viewer' });
    await cached(key);
    expect((await owner.delete(`/admin/api-keys/${keyId}`)).status).toBe(204);
    expectProblem(await replica.api.as(key).get('/auth/me'), 401, 'unauthenticated');
  });

  it('rejects the next request after another process ends the sign-in', async () => {
    const token = await signIn(await newPerson(owner, { role: 'viewer' }));
    await cached(token);
    expect((await service.api.as(token).post('/auth/logout')).status).toBe(204);
    expectProblem(await replica.api.as(token).get('/auth/me'), 401, 'unauthenticated');
  });

  it.each([
    ['deactivates the user', 'UPDATE users SET is_active = false WHERE id = $1'],
    ['ends the sign-ins', 'UPDATE sign_ins SET revoked_at = now() WHERE user_id = $1'],
    ['lets the sign-ins expire', 'UPDATE sign_ins SET expires_at = now() WHERE user_id = $1'],
    ['deletes the sign-ins', 'DELETE FROM sign_ins WHERE user_id = $1'],
    ['deletes the user', 'DELETE FROM users WHERE id = $1'],
  ])('rejects the caller within a moment after someone %s in SQL', async (_what, sql) => {
    const person = await newPerson(owner, { role: 'viewer' });
    const token = await signIn(person);
    await cached(token);
    await query(service.databaseUrl, sql, [person.userId]);
    await eventually(
      async () => expectProblem(await replica.api.as(token).get('/auth/me'), 401, 'unauthenticated'),
      1_000,
    );
  });

  it('keeps a key when only its last use changes, and still records the use', async () => {
    const { keyId, key } = await newKey(owner, { role: 'viewer' });
    const lastUse = () =>
      query(service.databaseUrl, 'SELECT last_used_at FROM api_keys WHERE id = $1', [keyId]);
    expect(await lastUse()).toEqual([{ last_used_at: null }]);
    await cached(key);
    expect(await lastUse()).toEqual([{ last_used_at: expect.any(Date) }]);
    await query(service.databaseUrl, 'UPDATE api_keys SET last_used_at = now()');
    expect(await lookupsOf(key, 1)).toBe(0);
  });

  it('does not cache what was looked up before a change and returned after it', async () => {
    const person = await newPerson(owner, { role: 'viewer' });
    const token = await signIn(person);
    const [asked, changed] = [new Signal(), new Signal()];
    proxy.on({ statement: FIND_CALLER }, { after: () => (asked.fire(), changed.wait()) });
    const early = replica.api.as(token).get('/auth/me');
    await asked.wait('the lookup');
    await owner.patch(`/admin/users/${person.userId}`, { isActive: false });
    changed.fire();
    expect((await early).status).toBe(200);
    expectProblem(await replica.api.as(token).get('/auth/me'), 401, 'unauthenticated');
  });

  it('caches nobody while notifications cannot arrive, and resumes caching afterwards', async () => {
    const token = await signIn(await newPerson(owner, { role: 'viewer' }));
    await cached(token);
    proxy.on({ statement: /LISTEN access_changes/, always: true }, 'cut');
    proxy.on({ statement: /heartbeat/ }, 'cut');
    await eventually(async () => expect(await lookupsOf(token)).toBe(3), 4_000);
    proxy.heal();
    await cached(token);
  });

  it('caches nobody when the listening connection goes silent', async () => {
    const token = await signIn(await newPerson(owner, { role: 'viewer' }));
    await cached(token);
    const over = new Signal();
    proxy.on({ statement: /heartbeat/, always: true }, { before: () => over.wait() });
    await eventually(async () => expect(await lookupsOf(token)).toBe(3), 4_000);
    over.fire();
  });
});
