import { randomUUID } from 'node:crypto';
import type { Api } from '../support/api/api.js';
import { newClient, newKey, newPerson, PASSWORD } from '../support/api/people.js';
import { expectProblem, pathsOf } from '../support/api/problems.js';
import { OWNER, query, type RunningService } from '../support/services/service.js';
import { sharedService } from '../support/services/shared-service.js';

const newEmail = () => `${randomUUID()}@test.example`;

describe('Users and API keys', () => {
  let service: RunningService;
  let owner: Api;
  let mine: string;
  let theirs: string;
  /** Owner of everything of one client, and of nothing else. */
  let limited: Api;
  beforeAll(async () => {
    service = await sharedService();
    owner = await service.api.signIn(OWNER);
    [mine, theirs] = [await newClient(owner), await newClient(owner)];
    limited = (await newPerson(owner, { role: 'owner', clientIds: [mine] })).api;
  });

  const createUser = (api: Api, grant: object) =>
    api.post('/admin/users', { email: newEmail(), password: PASSWORD, name: 'New', ...grant });
  const createKey = (api: Api, grant: object) => api.post('/admin/api-keys', { name: 'New', ...grant });
  const idsOf = (users: { userId: string }[]) => users.map(({ userId }) => userId);

  it('users are created, and their password is never shown', async () => {
    const { status, body } = await createUser(owner, {
      email: ' Olga@Test.Example ',
      name: ' Olga ',
      role: 'operator',
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      userId: expect.any(String),
      email: 'olga@test.example',
      name: 'Olga',
      role: 'operator',
      clientIds: null,
      isActive: true,
      state: 'active',
      linkExpiresAt: null,
      invitation: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    const [row] = await query<{ password_hash: string }>(
      service.databaseUrl,
      'SELECT password_hash FROM users WHERE id = $1',
      [body.userId],
    );
    expect(row!.password_hash).toMatch(/^\$argon2id\$v=19\$/);
  });

  it('an e-mail address can be used once, in any case and under concurrency', async () => {
    const email = newEmail();
    const responses = await Promise.all(
      [email, email.toUpperCase(), email].map((same) => createUser(owner, { email: same, role: 'viewer' })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expectProblem(await createUser(owner, { email, role: 'viewer' }), 409, 'email_taken');
  });

  it.each([
    ['email', { email: 'not-an-address' }],
    ['password', { password: 'short' }],
    ['name', { name: ' ' }],
    ['role', { role: 'emperor' }],
    ['role', { role: '__proto__' }],
    ['clientIds', { clientIds: 'demo' }],
    ['clientIds', { clientIds: ['no-such-client'] }],
    ['clientIds', { role: 'client_viewer' }],
    ['clientIds', { role: 'client_manager', clientIds: [] }],
  ])('a user with a wrong %s is rejected: %j', async (path, wrong) => {
    const response = await createUser(owner, { role: 'viewer', ...wrong });
    expectProblem(response, 400, 'validation_failed');
    expect([...new Set(pathsOf(response))]).toEqual([path]);
  });

  it('portal roles belong to exactly one client, also after a change', async () => {
    for (const create of [createUser, createKey]) {
      expectProblem(
        await create(owner, { role: 'client_viewer', clientIds: [mine, theirs] }),
        400,
        'validation_failed',
      );
      expect((await create(owner, { role: 'client_viewer', clientIds: [mine] })).status).toBe(201);
    }
    const { userId } = await newPerson(owner, { role: 'viewer' });
    const change = (body: object) => owner.patch(`/admin/users/${userId}`, body);
    expectProblem(await change({ role: 'client_manager' }), 400, 'validation_failed');
    expect((await change({ role: 'client_manager', clientIds: [mine] })).status).toBe(200);
    expectProblem(await change({ clientIds: null }), 400, 'validation_failed');
    expectProblem(await change({ clientIds: [mine, theirs] }), 400, 'validation_failed');
  });

  it('users are listed page by page, each once, in order of creation', async () => {
    const clientId = await newClient(owner);
    const admin = await newPerson(owner, { role: 'owner', clientIds: [clientId] });
    const created = [admin.userId];
    for (let count = 0; count < 4; count++) {
      created.push((await newPerson(owner, { role: 'viewer', clientIds: [clientId] })).userId);
    }
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await admin.api.get(`/admin/users?limit=2${cursor && `&cursor=${cursor}`}`);
      expect(body.users.length).toBeLessThanOrEqual(2);
      seen.push(...idsOf(body.users));
      cursor = body.nextCursor;
    }
    expect(seen).toEqual(created);
  });

  it.each(['x', '', 'bnVsbA', 'IngiIg', 'eyJhIjoxfQ', encodeURIComponent('"\0"'), 'a'.repeat(2001)])(
    'the cursor %j is rejected',
    async (cursor) => {
      for (const list of [
        '/admin/users',
        '/auth/sign-ins',
        '/admin/api-keys',
        `/admin/clients/${mine}/audit`,
      ]) {
        expectProblem(await owner.get(`${list}?cursor=${cursor}`), 400, 'validation_failed');
      }
    },
  );

  describe('you cannot grant what you do not have', () => {
    it('operators and viewers cannot manage users, and the error names the required permission', async () => {
      for (const role of ['operator', 'viewer', 'agent']) {
        const { api } = await newPerson(owner, { role });
        const users = await createUser(api, { role: 'viewer', password: undefined });
        if (role === 'operator') expectProblem(users, 403, 'grant_not_held');
        else {
          expectProblem(users, 403, 'permission_denied');
          expect(users.body).toMatchObject({ permission: 'portal-users:manage' });
          expect(users.body.detail).toContain('portal-users:manage');
        }
        const keys = await createKey(api, { role: 'viewer' });
        expect(keys).toMatchObject({ status: 403, body: { permission: 'api-keys:manage' } });
      }
    });

    it.each([
      ['all clients', (): object => ({ role: 'viewer' })],
      ['all clients, given as null', (): object => ({ role: 'viewer', clientIds: null })],
      ['a client of others', () => ({ role: 'viewer', clientIds: [theirs] })],
      ["a client of others in addition to one's own", () => ({ role: 'viewer', clientIds: [mine, theirs] })],
      ['the portal of others', () => ({ role: 'client_manager', clientIds: [theirs] })],
      ['a client that does not exist', () => ({ role: 'viewer', clientIds: ['no-such-client'] })],
    ])('a caller with one client cannot grant %s', async (_case, grant) => {
      expectProblem(await createUser(limited, grant()), 403, 'grant_not_held');
      expectProblem(await createKey(limited, grant()), 403, 'grant_not_held');
      const { body } = await createUser(limited, { role: 'viewer', clientIds: [mine] });
      expectProblem(
        await limited.patch(`/admin/users/${body.userId}`, { clientIds: null, ...grant() }),
        403,
        'grant_not_held',
      );
    });

    it('but can grant what they have, including the portal', async () => {
      for (const role of ['owner', 'operator', 'viewer', 'agent', 'client_manager', 'client_viewer']) {
        expect((await createUser(limited, { role, clientIds: [mine] })).status).toBe(201);
        expect((await createKey(limited, { role, clientIds: [mine] })).status).toBe(201);
      }
    });

    it('a caller with one client neither sees nor changes users with more', async () => {
      const full = await newPerson(owner, { role: 'viewer' });
      const other = await newPerson(owner, { role: 'viewer', clientIds: [theirs] });
      const key = await newKey(owner, { role: 'viewer' });
      const missing = await limited.patch(`/admin/users/${randomUUID()}`, { name: 'X' });
      for (const { userId } of [full, other]) {
        for (const change of [
          { name: 'X' },
          { password: 'taken-over-password' },
          { isActive: false },
          { clientIds: [mine] },
        ]) {
          const response = await limited.patch(`/admin/users/${userId}`, change);
          expectProblem(response, 404, 'user_not_found');
          expect({ ...response.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' });
        }
      }
      expectProblem(await limited.delete(`/admin/api-keys/${key.keyId}`), 404, 'api_key_not_found');
      expect((await service.api.as(key.key).get('/auth/me')).status).toBe(200);

      const seen = (await limited.get('/admin/users?limit=200')).body.users as {
        userId: string;
        clientIds: string[];
      }[];
      expect(seen.length).toBeGreaterThan(0);
      expect(seen.every(({ clientIds }) => clientIds.every((clientId) => clientId === mine))).toBe(true);
      const keys = (await limited.get('/admin/api-keys?limit=200')).body.apiKeys as {
        clientIds: string[] | null;
      }[];
      expect(keys.length).toBeGreaterThan(0);
      expect(keys.every(({ clientIds }) => clientIds?.every((clientId) => clientId === mine))).toBe(true);
    });

    it('a caller with no client sees no user with one', async () => {
      const nobody = await newPerson(owner, { role: 'owner', clientIds: [] });
      expect(idsOf((await nobody.api.get('/admin/users')).body.users)).toEqual([nobody.userId]);
      expectProblem(
        await createUser(nobody.api, { role: 'viewer', clientIds: [mine] }),
        403,
        'grant_not_held',
      );
    });
  });

  it('changing an unknown user, or with invalid values, is rejected', async () => {
    expectProblem(await owner.patch(`/admin/users/${randomUUID()}`, { name: 'X' }), 404, 'user_not_found');
    expectProblem(await owner.patch('/admin/users/not-an-id', { name: 'X' }), 404, 'user_not_found');
    const { userId } = await newPerson(owner, { role: 'viewer' });
    for (const wrong of [
      { name: null },
      { role: null },
      { isActive: null },
      { isActive: 'no' },
      { email: 'a@b.example' },
    ]) {
      expectProblem(await owner.patch(`/admin/users/${userId}`, wrong), 400, 'validation_failed');
    }
  });

  it('a change is in the audit log without the password', async () => {
    const { userId } = await newPerson(owner, { role: 'viewer' });
    await owner.patch(`/admin/users/${userId}`, { role: 'operator', password: 'a-brand-new-password' });
    const [event] = await query(
      service.databaseUrl,
      `SELECT actor_name, before, after FROM events WHERE subject_id = $1 AND action = 'user.update'`,
      [userId],
    );
    expect(event).toMatchObject({
      actor_name: OWNER.email,
      before: { role: 'viewer', isActive: true },
      after: { role: 'operator', isActive: true, passwordReset: true },
    });
    expect(JSON.stringify(event)).not.toMatch(/argon2|a-brand-new-password/);
  });

  it('a key is shown once and stored as a hash', async () => {
    const created = await createKey(owner, { name: 'Agent', role: 'agent', clientIds: [mine] });
    expect(created).toMatchObject({
      status: 201,
      body: { name: 'Agent', role: 'agent', clientIds: [mine], lastUsedAt: null },
    });
    const { key, keyId } = created.body;
    expect(key).toMatch(/^cal_[\w-]{43}$/);

    const listed = (await owner.get('/admin/api-keys')).body.apiKeys.find(
      (row: { keyId: string }) => row.keyId === keyId,
    );
    expect(listed).toMatchObject({ name: 'Agent', revokedAt: null });
    expect(JSON.stringify(listed)).not.toContain(key);
    const [row] = await query(
      service.databaseUrl,
      'SELECT a::text AS text FROM api_keys a WHERE key_hash = sha256($1)',
      [Buffer.from(key as string)],
    );
    expect(row!['text']).toContain(keyId);
    expect(row!['text']).not.toContain(key);
  });

  it('a key records when it was last used, and can be revoked', async () => {
    const { keyId, key } = await newKey(owner, { role: 'agent' });
    await service.api.as(key).get('/auth/me');
    const find = async () =>
      (await owner.get('/admin/api-keys')).body.apiKeys.find((row: { keyId: string }) => row.keyId === keyId);
    expect(Math.abs(Date.now() - Date.parse((await find()).lastUsedAt))).toBeLessThan(60_000);
    await owner.delete(`/admin/api-keys/${keyId}`);
    expect(Math.abs(Date.now() - Date.parse((await find()).revokedAt))).toBeLessThan(60_000);
    expectProblem(await owner.delete('/admin/api-keys/not-an-id'), 404, 'api_key_not_found');
  });

  it.each(['yesterday', '2001-01-01T00:00:00Z', 5, true])('a key cannot expire at %j', async (expiresAt) =>
    expectProblem(await createKey(owner, { role: 'agent', expiresAt }), 400, 'validation_failed'),
  );

  it('a key does not have a password to change', async () => {
    const { key } = await newKey(owner, { role: 'owner' });
    const change = { currentPassword: PASSWORD, newPassword: 'another-password' };
    expectProblem(await service.api.as(key).post('/auth/password', change), 403, 'permission_denied');
  });
});
