import { randomUUID } from 'node:crypto';
import type { Api } from '../support/api/api.js';
import type { Json } from '../support/api/library.js';
import { newClient, newKey, newPerson, PASSWORD, type Person } from '../support/api/people.js';
import { expectProblem } from '../support/api/problems.js';
import { OWNER, query, type RunningService } from '../support/services/service.js';
import { sharedService } from '../support/services/shared-service.js';

const newEmail = () => `${randomUUID()}@test.example`;
const tokenOf = (url: string) => new URL(url).hash.slice(1);
const seconds = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 1000;

describe('Invitations', () => {
  let service: RunningService;
  let owner: Api;
  let mine: string;
  let theirs: string;
  let operator: Person;
  beforeAll(async () => {
    service = await sharedService();
    owner = await service.api.signIn(OWNER);
    [mine, theirs] = [await newClient(owner), await newClient(owner)];
    operator = await newPerson(owner, { role: 'operator', clientIds: [mine] });
  });

  const invite = (api: Api, grant: object = {}) =>
    api.post('/admin/users', {
      email: newEmail(),
      name: 'Grace',
      role: 'client_manager',
      clientIds: [mine],
      ...grant,
    });
  const accept = (token: string, password = PASSWORD) =>
    service.api.post('/auth/invitations/accept', { token, password });
  const check = (token: string) => service.api.post('/auth/invitations/check', { token });
  const resetLink = (api: Api, userId: string) => api.post(`/admin/users/${userId}/reset-link`);
  const newLink = async (api: Api, userId: string) => tokenOf((await resetLink(api, userId)).body.url);
  const invited = async (api: Api, grant: object = {}) => {
    const { status, body } = await invite(api, grant);
    expect(status).toBe(201);
    return { user: body, token: tokenOf(body.invitation.url) };
  };
  const expectEnded = async (token: string) => {
    const refusals = [await check(token), await accept(token)];
    for (const refusal of refusals) expectProblem(refusal, 410, 'link_invalid');
    return refusals.map(({ body: { requestId: _, ...problem } }) => problem);
  };
  const stateOf = async (userId: string) => {
    const { body } = await owner.get('/admin/users?limit=200');
    return body.users.find((user: Json) => user.userId === userId);
  };

  it('a person who is invited chooses the password, and nobody else knows it', async () => {
    const { user, token } = await invited(owner);
    expect(user).toMatchObject({ state: 'invited', invitation: { isMailed: false } });
    expect(user.linkExpiresAt).toBe(user.invitation.expiresAt);
    expect(user.invitation.url).toBe(`${service.url}/invitation#${token}`);
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect(Math.abs(seconds(user.createdAt, user.invitation.expiresAt) - 72 * 3600)).toBeLessThan(60);
    const login = await service.api.post('/auth/login', { email: user.email, password: PASSWORD });
    expectProblem(login, 401, 'invalid_credentials');
    expect((await check(token)).body).toEqual({
      isInvitation: true,
      email: user.email,
      name: 'Grace',
      expiresAt: user.invitation.expiresAt,
    });
    expectProblem(await accept(token, 'short'), 400, 'validation_failed');

    const accepted = await accept(token);
    expect(accepted).toMatchObject({
      status: 200,
      body: { user: { userId: user.userId, clientIds: [mine] } },
    });
    expect(accepted.headers.get('set-cookie')).toContain('refresh=');
    expect((await service.api.as(accepted.body.accessToken).get('/portal/assets')).status).toBe(200);
    await service.api.signIn({ email: user.email, password: PASSWORD });
  });

  it('the token is stored only as a hash', async () => {
    const { user, token } = await invited(owner);
    const [row] = await query<{ text: string }>(
      service.databaseUrl,
      `SELECT (SELECT json_agg(l) FROM password_links l)::text || (SELECT json_agg(e) FROM events e WHERE subject_id = $1)::text AS text`,
      [user.userId],
    );
    expect(row!.text).not.toContain(token);
    expect(row!.text).toContain('user.invite');
  });

  it('the Host header does not change the address of a link', async () => {
    const { userId } = (await invited(owner)).user;
    const response = await owner.request('POST', `/admin/users/${userId}/reset-link`, {
      headers: {
        host: 'evil.example',
        'x-forwarded-host': 'evil.example',
        forwarded: 'host=evil.example',
        origin: 'http://evil.example',
      },
    });
    expect(response.body.url).toMatch(`${service.url}/invitation#`);
  });

  it('a link works once: of two people who use it at the same time, one gets in, and nobody later', async () => {
    const { user, token } = await invited(owner);
    const responses = await Promise.all([accept(token, 'first-password'), accept(token, 'second-password')]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 410]);
    await expectEnded(token);
    const won = responses[0].status === 200 ? 'first-password' : 'second-password';
    await service.api.signIn({ email: user.email, password: won });
  });

  it('used, replaced, expired and unknown links get the same response', async () => {
    const used = await invited(owner);
    await accept(used.token);
    const replaced = await invited(owner);
    await newLink(owner, replaced.user.userId);
    const expired = await invited(owner);
    await query(service.databaseUrl, 'UPDATE password_links SET expires_at = now() WHERE user_id = $1', [
      expired.user.userId,
    ]);
    const responses = [];
    for (const token of [used.token, replaced.token, expired.token, 'A'.repeat(43), 'x'])
      responses.push(...(await expectEnded(token)));
    expect(new Set(responses.map((problem) => JSON.stringify(problem))).size).toBe(1);
    expect(await stateOf(expired.user.userId)).toMatchObject({ state: 'invited', linkExpiresAt: null });
  });

  it.each<[string, object, object]>([
    ['loses a client', { clientIds: [] }, { clientIds: null }],
    ['loses rights', { role: 'viewer' }, { role: 'owner' }],
    ['gets a new password', { password: 'the-next-password' }, {}],
    ['is deactivated', { isActive: false }, { isActive: true }],
  ])('a link ends for good when its maker %s', async (_what, loss, undo) => {
    const maker = await newPerson(owner, { role: 'owner' });
    const change = async (body: object) =>
      expect((await owner.patch(`/admin/users/${maker.userId}`, body)).status).toBe(200);
    const { user, token } = await invited(maker.api);
    const other = await invited(owner);
    await change({ name: 'Renamed', clientIds: null });
    expect((await check(token)).status).toBe(200);
    await change(loss);
    await change(undo);
    await expectEnded(token);
    expect(await stateOf(user.userId)).toMatchObject({ state: 'invited', linkExpiresAt: null });
    expect((await check(other.token)).status).toBe(200);
  });

  it('a link gives no more than its maker holds, also if the user was given more in the meantime', async () => {
    const { user, token } = await invited(operator.api);
    await owner.patch(`/admin/users/${user.userId}`, { role: 'owner', clientIds: null });
    await expectEnded(token);
  });

  it('a link ends when the API key that made it is revoked', async () => {
    const { keyId, key } = await newKey(owner, { role: 'owner', clientIds: [mine] });
    const { token } = await invited(service.api.as(key));
    expect((await check(token)).status).toBe(200);
    await owner.delete(`/admin/api-keys/${keyId}`);
    await expectEnded(token);
    const left = 'SELECT 1 FROM password_links WHERE maker_id = $1';
    expect(await query(service.databaseUrl, left, [keyId])).toEqual([]);
  });

  it('a deactivated user cannot accept, not even after being activated again', async () => {
    const { user, token } = await invited(owner);
    const change = (body: object) => owner.patch(`/admin/users/${user.userId}`, body);
    await change({ isActive: false });
    expectProblem(await resetLink(owner, user.userId), 409, 'user_inactive');
    await expectEnded(token);
    expect((await change({ isActive: true })).body).toMatchObject({ state: 'invited', linkExpiresAt: null });
    await expectEnded(token);
  });

  it('a reset link changes nothing until it is used; then it ends every sign-in', async () => {
    const person = await newPerson(owner, { role: 'viewer', clientIds: [mine] });
    const token = await newLink(owner, person.userId);
    expect((await check(token)).body).toMatchObject({ isInvitation: false, email: person.email });
    expect((await person.api.get('/auth/me')).status).toBe(200);
    const { body } = await accept(token, 'the-next-password');
    expect((await person.api.get('/auth/me')).status).toBe(401);
    expect((await service.api.as(body.accessToken).get('/auth/me')).status).toBe(200);
    const { email, password } = person;
    expectProblem(await service.api.post('/auth/login', { email, password }), 401, 'invalid_credentials');
  });

  it('changing the password ends the links that are still open, also those made for others', async () => {
    const person = await newPerson(owner, { role: 'operator', clientIds: [mine] });
    const first = await newLink(owner, person.userId);
    const made = await invited(person.api);
    const passwords = { currentPassword: PASSWORD, newPassword: 'the-next-password' };
    expect((await person.api.post('/auth/password', passwords)).status).toBe(204);
    await expectEnded(first);
    await expectEnded(made.token);
    const second = await newLink(owner, person.userId);
    await owner.patch(`/admin/users/${person.userId}`, { password: PASSWORD });
    await expectEnded(second);
  });

  describe('by operators', () => {
    it('are for portals of their clients only', async () => {
      const { token } = await invited(operator.api);
      expect((await accept(token)).status).toBe(200);
      for (const grant of [
        { role: 'operator' },
        { role: 'viewer' },
        { role: 'owner', clientIds: null },
        { role: 'client_manager', clientIds: [theirs] },
        { role: 'client_manager', clientIds: ['no-such-client'] },
      ])
        expectProblem(await invite(operator.api, grant), 403, 'grant_not_held');
    });

    it('show and change no one else', async () => {
      const guest = (await invited(owner, { role: 'client_viewer' })).user;
      const colleague = await newPerson(owner, { role: 'viewer', clientIds: [mine] });
      const foreign = (await invited(owner, { clientIds: [theirs] })).user;
      const { body } = await operator.api.get('/admin/users?limit=200');
      const ids = body.users.map(({ userId }: Json) => userId);
      expect(ids).toContain(guest.userId);
      expect(new Set(body.users.flatMap(({ clientIds }: Json) => clientIds))).toEqual(new Set([mine]));
      expect(body.users.every(({ role }: Json) => role.startsWith('client_'))).toBe(true);

      for (const userId of [colleague.userId, foreign.userId, operator.userId]) {
        expectProblem(await resetLink(operator.api, userId), 404, 'user_not_found');
        const change = await operator.api.patch(`/admin/users/${userId}`, { isActive: false });
        expectProblem(change, 404, 'user_not_found');
      }
      for (const request of [
        operator.api.patch(`/admin/users/${guest.userId}`, { password: PASSWORD }),
        invite(operator.api, { password: PASSWORD }),
      ]) {
        const refusal = await request;
        expectProblem(refusal, 403, 'permission_denied');
        expect(refusal.body).toMatchObject({ permission: 'users:manage' });
      }
      const promote = await operator.api.patch(`/admin/users/${guest.userId}`, { role: 'viewer' });
      expectProblem(promote, 403, 'grant_not_held');
      const deactivated = await operator.api.patch(`/admin/users/${guest.userId}`, { isActive: false });
      expect(deactivated).toMatchObject({ status: 200, body: { state: 'deactivated' } });
    });
  });

  it('without mail, a forgotten password is accepted and nothing is sent', async () => {
    expect((await service.api.get('/auth/options')).body).toEqual({ passwordReset: false });
    expect((await service.api.post('/auth/password/forgot', { email: OWNER.email })).status).toBe(202);
  });
});

describe('Your own account', () => {
  let service: RunningService;
  let owner: Api;
  beforeAll(async () => {
    service = await sharedService();
    owner = await service.api.signIn(OWNER);
  });

  it('has a name that you can change', async () => {
    const { api } = await newPerson(owner, { role: 'viewer' });
    expect((await api.patch('/auth/me', { name: ' Violet ' })).body).toMatchObject({ name: 'Violet' });
    expect((await api.get('/auth/me')).body).toMatchObject({ name: 'Violet', role: 'viewer' });
    expectProblem(await api.patch('/auth/me', { name: ' ' }), 400, 'validation_failed');
    expectProblem(await api.patch('/auth/me', { name: 'Violet', role: 'owner' }), 400, 'validation_failed');
    const key = service.api.as((await newKey(owner, { role: 'viewer' })).key);
    expectProblem(await key.patch('/auth/me', { name: 'Violet' }), 403, 'permission_denied');
    expect((await key.get('/auth/sign-ins')).body).toEqual({ signIns: [], nextCursor: null });
  });

  it('lists your sign-ins, and each can be ended', async () => {
    const person = await newPerson(owner, { role: 'viewer' });
    const stranger = await newPerson(owner, { role: 'viewer' });
    const login = (userAgent: string) =>
      service.api.post(
        '/auth/login',
        { email: person.email, password: PASSWORD },
        { 'user-agent': userAgent },
      );
    const phone = (await login('Phone')).body;
    const laptop = (await login(`Laptop${'x'.repeat(1_000)}`)).body;
    const [onPhone, onLaptop] = [service.api.as(phone.accessToken), service.api.as(laptop.accessToken)];

    const { signIns } = (await onPhone.get('/auth/sign-ins')).body;
    expect(signIns.map(({ isCurrent }: Json) => isCurrent)).toEqual([false, true, false]);
    expect(signIns[0].userAgent).toHaveLength(300);
    expect(signIns[1]).toMatchObject({ userAgent: 'Phone', lastUsedAt: signIns[1].createdAt });

    await service.api.post('/auth/refresh', { refreshToken: phone.refreshToken });
    const refreshed = (await onPhone.get('/auth/sign-ins')).body.signIns[1];
    expect(seconds(refreshed.createdAt, refreshed.lastUsedAt)).toBeGreaterThan(0);

    const end = (api: Api, id: string) => api.delete(`/auth/sign-ins/${id}`);
    for (const id of [signIns[0].signInId, randomUUID(), 'x'])
      expectProblem(await end(stranger.api, id), 404, 'sign_in_not_found');
    expect((await end(onPhone, signIns[0].signInId)).status).toBe(204);
    expect((await onLaptop.get('/auth/me')).status).toBe(401);
    expectProblem(await end(onPhone, signIns[0].signInId), 404, 'sign_in_not_found');

    expect((await onPhone.delete('/auth/sign-ins')).status).toBe(204);
    expect((await person.api.get('/auth/me')).status).toBe(401);
    expect((await onPhone.get('/auth/sign-ins')).body.signIns).toHaveLength(1);
    expect((await stranger.api.get('/auth/me')).status).toBe(200);
  });
});
