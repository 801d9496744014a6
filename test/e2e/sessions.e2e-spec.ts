import { newPerson, PASSWORD } from '../support/people.js';
import { expectProblem } from '../support/problems.js';
import { OWNER, query, type Service, startService } from '../support/service.js';

describe('Staying signed in', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  const login = async (user = OWNER) => (await service.api.post('/auth/login', user)).body;
  const refresh = (refreshToken: string) => service.api.post('/auth/refresh', { refreshToken });
  const me = (accessToken: string) => service.api.as(accessToken).get('/auth/me');
  /** Moves the use of every used refresh token into the past, past the grace for two tabs. */
  const letGracePass = () =>
    query(service.databaseUrl, `UPDATE refresh_tokens SET used_at = used_at - interval '11 seconds'`);

  it('exchanges a refresh token for new tokens', async () => {
    const first = await login();
    const answer = await refresh(first.refreshToken);
    expect(answer).toMatchObject({
      status: 200,
      body: { tokenType: 'Bearer', user: { email: OWNER.email } },
    });
    expect(answer.body.refreshToken).not.toBe(first.refreshToken);
    expect((await me(answer.body.accessToken)).status).toBe(200);
  });

  it('lets two tabs refresh with the same token at once', async () => {
    const first = await login();
    const answers = await Promise.all([refresh(first.refreshToken), refresh(first.refreshToken)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const [one, two] = answers.map(({ body }) => body.refreshToken as string) as [string, string];
    expect(one).not.toBe(two);
    expect((await refresh(one)).status).toBe(200);
    expect((await refresh(two)).status).toBe(200);
  });

  it('ends the whole family when a token is used again later', async () => {
    const first = await login();
    const second = (await refresh(first.refreshToken)).body;
    const other = await login();
    await letGracePass();

    expectProblem(await refresh(first.refreshToken), 401, 'refresh_token_invalid');
    expectProblem(await refresh(second.refreshToken), 401, 'refresh_token_invalid');
    expectProblem(await me(second.accessToken), 401, 'unauthenticated');
    expect((await me(other.accessToken)).status).toBe(200);
    expect((await refresh(other.refreshToken)).status).toBe(200);
  });

  it('does not take an expired, an unknown, or an access token for a refresh token', async () => {
    const { accessToken, refreshToken } = await login();
    expectProblem(await refresh(accessToken.slice(0, 200)), 401, 'refresh_token_invalid');
    expectProblem(await refresh('A'.repeat(43)), 401, 'refresh_token_invalid');
    await query(service.databaseUrl, `UPDATE refresh_tokens SET expires_at = now() WHERE used_at IS NULL`);
    expectProblem(await refresh(refreshToken), 401, 'refresh_token_invalid');
  });

  it('keeps refresh tokens only as hashes', async () => {
    const { refreshToken } = await login();
    const rows = await query(
      service.databaseUrl,
      `SELECT * FROM refresh_tokens WHERE token_hash = sha256($1)`,
      [Buffer.from(refreshToken)],
    );
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(refreshToken);
  });

  it('ends access and refresh token with the sign-out, but no other sign-in', async () => {
    const mine = await login();
    const other = await login();
    const answer = await service.api.as(mine.accessToken).post('/auth/logout');
    expect(answer.status).toBe(204);
    expect(answer.headers.get('set-cookie')).toMatch(/^session=;.*Expires=Thu, 01 Jan 1970/);
    expectProblem(await me(mine.accessToken), 401, 'unauthenticated');
    expectProblem(await refresh(mine.refreshToken), 401, 'refresh_token_invalid');
    expect((await me(other.accessToken)).status).toBe(200);
  });

  it('ends all other sign-ins, but not the own, when the password changes', async () => {
    const person = await newPerson(await service.api.signIn(OWNER), { role: 'viewer' });
    const other = await login({ email: person.email, password: PASSWORD });
    const changed = { currentPassword: PASSWORD, newPassword: 'another-password' };

    expectProblem(
      await person.api.post('/auth/password', { ...changed, currentPassword: 'wrong' }),
      401,
      'invalid_credentials',
    );
    expect((await me(other.accessToken)).status).toBe(200);

    expect((await person.api.post('/auth/password', changed)).status).toBe(204);
    expect((await person.api.get('/auth/me')).status).toBe(200);
    expectProblem(await me(other.accessToken), 401, 'unauthenticated');
    expectProblem(await refresh(other.refreshToken), 401, 'refresh_token_invalid');
    const { email } = person;
    expectProblem(
      await service.api.post('/auth/login', { email, password: PASSWORD }),
      401,
      'invalid_credentials',
    );
    const again = await service.api.post('/auth/login', { email, password: 'another-password' });
    expect(again.status).toBe(200);
  });

  it('refuses a new password that is too short', async () => {
    const api = await service.api.signIn(OWNER);
    const answer = await api.post('/auth/password', {
      currentPassword: OWNER.password,
      newPassword: 'short',
    });
    expectProblem(answer, 400, 'validation_failed');
    expect((await service.api.post('/auth/login', OWNER)).status).toBe(200);
  });

  it('takes passwords in either Unicode form', async () => {
    const person = await newPerson(await service.api.signIn(OWNER), { role: 'viewer' });
    const change = { currentPassword: PASSWORD, newPassword: 'pässwörd-long'.normalize('NFD') };
    expect((await person.api.post('/auth/password', change)).status).toBe(204);
    const answer = await service.api.post('/auth/login', {
      email: person.email,
      password: 'pässwörd-long'.normalize('NFC'),
    });
    expect(answer.status).toBe(200);
  });
});
