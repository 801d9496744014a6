import { newClient, newPerson } from '../support/api/people.js';
import { expectProblem } from '../support/api/problems.js';
import { OWNER, query, type ServiceProcess, startProcess } from '../support/services/service.js';

describe('Signing in', () => {
  let service: ServiceProcess;
  // Passwords are cheap to check in the process that other tests share.
  beforeAll(async () => {
    service = await startProcess();
  });
  afterAll(() => service.stop());

  const login = (body: unknown) => service.api.post('/auth/login', body);
  const token = (form: Record<string, string>) =>
    service.api.post('/auth/token', new URLSearchParams(form).toString(), {
      'content-type': 'application/x-www-form-urlencoded',
    });

  it('returns tokens and the user, and is never cached', async () => {
    const response = await login(OWNER);
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      accessToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      refreshToken: expect.stringMatching(/^[\w-]{107}$/),
      tokenType: 'Bearer',
      expiresIn: 900,
      user: {
        userId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        email: OWNER.email,
        name: OWNER.email,
        role: 'owner',
        permissions: expect.arrayContaining(['clients:manage', 'users:manage']),
        clientIds: null,
        clientName: null,
      },
    });
    expect(response.headers.get('cache-control')).toBe('private, no-store');
    const me = await service.api.as(response.body.accessToken).get('/auth/me');
    expect(me).toMatchObject({ status: 200, body: response.body.user });
  });

  it('tells people who use the portal the name of their client', async () => {
    const owner = await service.api.signIn(OWNER);
    const clientId = await newClient(owner, 'Corner Bakery');
    const { api, email, password } = await newPerson(owner, { role: 'client_viewer', clientIds: [clientId] });
    const { user, refreshToken } = (await login({ email, password })).body;
    expect(user).toMatchObject({ clientIds: [clientId], clientName: 'Corner Bakery' });
    expect((await api.get('/auth/me')).body).toEqual(user);
    const refreshed = await service.api.post('/auth/refresh', { refreshToken });
    expect(refreshed.body.user).toEqual(user);
    const operator = await newPerson(owner, { role: 'operator', clientIds: [clientId] });
    expect((await operator.api.get('/auth/me')).body.clientName).toBeNull();
  });

  it('takes the e-mail address in any case and with spaces around it', async () => {
    const response = await login({ email: `  ${OWNER.email.toUpperCase()} `, password: OWNER.password });
    expect(response.status).toBe(200);
  });

  it('responds in the same way to an unknown user and a wrong password', async () => {
    const wrong = await login({ ...OWNER, password: 'not-the-password' });
    const unknown = await login({ email: 'nobody@test.example', password: OWNER.password });
    expectProblem(wrong, 401, 'invalid_credentials');
    expectProblem(unknown, 401, 'invalid_credentials');
    expect({ ...unknown.body, requestId: '' }).toEqual({ ...wrong.body, requestId: '' });
    expect(unknown.headers.get('set-cookie')).toBeNull();
    expect((await login(OWNER)).status).toBe(200);
  });

  it('responds to a user without a password as to a wrong one', async () => {
    const owner = await service.api.signIn(OWNER);
    const person = await newPerson(owner, { role: 'viewer' });
    const wrong = await login({ ...OWNER, password: 'not-the-password' });
    await query(service.databaseUrl, 'UPDATE users SET password_hash = NULL WHERE id = $1', [person.userId]);
    const none = await login({ email: person.email, password: person.password });
    expectProblem(none, 401, 'invalid_credentials');
    expect({ ...none.body, requestId: '' }).toEqual({ ...wrong.body, requestId: '' });
    await owner.patch(`/admin/users/${person.userId}`, { password: person.password });
    expect((await login({ email: person.email, password: person.password })).status).toBe(200);
  });

  it('compares with a hash at the cost that OWASP recommends', async () => {
    const [row] = await query(service.databaseUrl, 'SELECT password_hash FROM users WHERE email = $1', [
      OWNER.email,
    ]);
    expect(row!['password_hash']).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it('takes as long for unknown users as for a password check', async () => {
    const took = async (email: string) => {
      const startedAt = performance.now();
      await login({ email, password: 'not-the-password' });
      return performance.now() - startedAt;
    };
    const wrong: number[] = [];
    const unknown: number[] = [];
    // The fastest of several, so that other load on the machine does not matter.
    for (let round = 0; round < 4; round++) {
      wrong.push(await took(OWNER.email));
      unknown.push(await took('no-such-person@test.example'));
    }
    expect(Math.min(...unknown)).toBeGreaterThan(Math.min(...wrong) / 3);
    expect(Math.min(...unknown)).toBeGreaterThan(5);
    expect((await login(OWNER)).status).toBe(200);
  });

  it('reveals an inactive account only to callers who know its password', async () => {
    const owner = await service.api.signIn(OWNER);
    const person = await newPerson(owner, { role: 'viewer' });
    await owner.patch(`/admin/users/${person.userId}`, { isActive: false });
    expectProblem(await login({ email: person.email, password: person.password }), 401, 'account_inactive');
    expectProblem(
      await login({ email: person.email, password: 'not-the-password' }),
      401,
      'invalid_credentials',
    );
  });

  it.each([
    ['no password', { email: OWNER.email }],
    ['an empty e-mail address', { email: '', password: 'x' }],
    ['a password longer than allowed', { email: OWNER.email, password: 'x'.repeat(201) }],
    ['an object for a password', { email: OWNER.email, password: { $ne: '' } }],
  ])('rejects %s as not valid', async (_case, body) => {
    expectProblem(await login(body), 400, 'validation_failed');
  });

  describe('as OAuth 2 clients do (RFC 6749)', () => {
    it('responds to the password grant in snake case and ignores unknown fields', async () => {
      const response = await token({
        grant_type: 'password',
        username: OWNER.email,
        password: OWNER.password,
        scope: 'a b',
        client_id: 'swagger',
      });
      expect(response.status).toBe(200);
      expect(response.body).toEqual({
        access_token: expect.any(String),
        token_type: 'Bearer',
        expires_in: 900,
        refresh_token: expect.any(String),
      });
      expect(response.headers.get('cache-control')).toBe('private, no-store');
      expect((await service.api.as(response.body.access_token).get('/auth/me')).status).toBe(200);
    });

    it('supports the refresh_token grant', async () => {
      const { body } = await token({
        grant_type: 'password',
        username: OWNER.email,
        password: OWNER.password,
      });
      const response = await token({ grant_type: 'refresh_token', refresh_token: body.refresh_token });
      expect(response.status).toBe(200);
      expect(response.body.refresh_token).not.toBe(body.refresh_token);
    });

    it('rejects other grants, and repeated or missing fields', async () => {
      expectProblem(await token({ grant_type: 'client_credentials' }), 400, 'validation_failed');
      expectProblem(await token({}), 400, 'validation_failed');
      const twice = `grant_type=password&username=a&username=b&password=${OWNER.password}`;
      const repeated = await service.api.post('/auth/token', twice, {
        'content-type': 'application/x-www-form-urlencoded',
      });
      expectProblem(repeated, 400, 'validation_failed');
    });

    it('counts empty credentials as wrong ones', async () => {
      expectProblem(await token({ grant_type: 'password' }), 401, 'invalid_credentials');
      expectProblem(await token({ grant_type: 'refresh_token' }), 401, 'refresh_token_invalid');
    });
  });
});
