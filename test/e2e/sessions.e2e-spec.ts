import { join } from 'node:path';
import { runJob } from '../support/services/background.js';
import { newPerson, PASSWORD } from '../support/api/people.js';
import { expectProblem } from '../support/api/problems.js';
import { launchProcess, OWNER, query, type Service, startService } from '../support/services/service.js';

describe('Staying signed in', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ WORKER: 'inline' });
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
    const response = await refresh(first.refreshToken);
    expect(response).toMatchObject({
      status: 200,
      body: { tokenType: 'Bearer', user: { email: OWNER.email } },
    });
    expect(response.body.refreshToken).not.toBe(first.refreshToken);
    expect((await me(response.body.accessToken)).status).toBe(200);
  });

  it('lets two tabs refresh with the same token at the same time', async () => {
    const first = await login();
    const responses = await Promise.all([refresh(first.refreshToken), refresh(first.refreshToken)]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    const [one, two] = responses.map(({ body }) => body.refreshToken as string) as [string, string];
    expect(one).not.toBe(two);
    expect((await refresh(one)).status).toBe(200);
    expect((await refresh(two)).status).toBe(200);
  });

  it('lets them do so for ten seconds after the first use, however often they do', async () => {
    const first = await login();
    const pass = (seconds: number) =>
      query(
        service.databaseUrl,
        'UPDATE refresh_tokens SET used_at = used_at - make_interval(secs => $2) WHERE token_hash = sha256($1)',
        [Buffer.from(first.refreshToken), seconds],
      );
    for (const seconds of [0, 4, 4]) {
      await pass(seconds);
      expect((await refresh(first.refreshToken)).status).toBe(200);
    }
    await pass(4);
    expectProblem(await refresh(first.refreshToken), 401, 'refresh_token_invalid');
  });

  it('ends the whole family when a token is reused later', async () => {
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

  it('does not accept an expired, an unknown, or an access token as a refresh token', async () => {
    const { accessToken, refreshToken } = await login();
    expectProblem(await refresh(accessToken.slice(0, 200)), 401, 'refresh_token_invalid');
    expectProblem(await refresh('A'.repeat(43)), 401, 'refresh_token_invalid');
    await query(service.databaseUrl, `UPDATE refresh_tokens SET expires_at = now() WHERE used_at IS NULL`);
    expectProblem(await refresh(refreshToken), 401, 'refresh_token_invalid');
  });

  const tokensOf = (refreshToken: string) =>
    query(
      service.databaseUrl,
      `SELECT used_at FROM refresh_tokens WHERE sign_in_id =
         (SELECT sign_in_id FROM refresh_tokens WHERE token_hash = sha256($1))`,
      [Buffer.from(refreshToken)],
    );

  it('does not accumulate used refresh tokens, yet still recognizes the first one when it is reused', async () => {
    const first = await login();
    let last = first;
    for (let round = 0; round < 5; round++) {
      last = (await refresh(last.refreshToken)).body;
      await letGracePass();
    }
    expect((await tokensOf(last.refreshToken)).length).toBeLessThanOrEqual(2);

    expectProblem(await refresh(first.refreshToken), 401, 'refresh_token_invalid');
    expectProblem(await refresh(last.refreshToken), 401, 'refresh_token_invalid');
    expectProblem(await me(last.accessToken), 401, 'unauthenticated');
  });

  it('does not end a sign-in because of a token that was never issued', async () => {
    const { refreshToken } = await login();
    const forged = refreshToken.replace(/.{8}$/, 'AAAAAAAA');
    expectProblem(await refresh(forged), 401, 'refresh_token_invalid');
    expect((await refresh(refreshToken)).status).toBe(200);
  });

  /** The sign-in began this long ago. */
  const age = (refreshToken: string, days: number) =>
    query(
      service.databaseUrl,
      `UPDATE sign_ins SET created_at = created_at - make_interval(days => $2) WHERE id =
         (SELECT sign_in_id FROM refresh_tokens WHERE token_hash = sha256($1))`,
      [Buffer.from(refreshToken), days],
    );

  it('ends 90 days after the sign-in, however often it was refreshed', async () => {
    const { refreshToken } = await login();
    await age(refreshToken, 89);
    const refreshed = (await refresh(refreshToken)).body;
    const [row] = await query<{ days: string }>(
      service.databaseUrl,
      `SELECT extract(epoch FROM s.expires_at - s.created_at) / 86400 AS days
         FROM sign_ins s JOIN refresh_tokens t ON t.sign_in_id = s.id WHERE t.token_hash = sha256($1)`,
      [Buffer.from(refreshed.refreshToken)],
    );
    expect(Number(row!.days)).toBeCloseTo(90, 3);
    await age(refreshed.refreshToken, 1);
    expectProblem(await refresh(refreshed.refreshToken), 401, 'refresh_token_invalid');
  });

  it('deletes sign-ins 30 days after their end, and expired counters, but nothing active', async () => {
    const alive = await login();
    const insert = (count: number, expires: string, revoked: string) =>
      query(
        service.databaseUrl,
        `INSERT INTO sign_ins (id, user_id, expires_at, revoked_at)
           SELECT gen_random_uuid(), (SELECT min(id::text)::uuid FROM users), ${expires}, ${revoked}
             FROM generate_series(1, ${count})`,
      );
    await insert(1_500, `now() - interval '31 days'`, 'NULL');
    await insert(1_500, `now() + interval '1 day'`, `now() - interval '31 days'`);
    await insert(7, `now() - interval '29 days'`, `now() - interval '29 days'`);
    await query(
      service.databaseUrl,
      `INSERT INTO rate_limits (key, points, expire)
         SELECT 'old:' || n, 1, extract(epoch FROM now() - interval '1 day') * 1000 FROM generate_series(1, 2500) n`,
    );
    await runJob(service, 'delete-old-sign-ins');
    const [rows] = await query(
      service.databaseUrl,
      `SELECT count(*) FILTER (WHERE least(expires_at, revoked_at) < now() - interval '30 days')::int AS old,
              count(*) FILTER (WHERE expires_at BETWEEN now() - interval '30 days' AND now())::int AS recent,
              (SELECT count(*)::int FROM rate_limits WHERE key LIKE 'old:%') AS counters
         FROM sign_ins`,
    );
    expect(rows).toEqual({ old: 0, recent: 7, counters: 0 });
    expect((await me(alive.accessToken)).status).toBe(200);
  });

  it('stores refresh tokens only as hashes', async () => {
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
    const response = await service.api.as(mine.accessToken).post('/auth/logout');
    expect(response.status).toBe(204);
    expect(response.headers.get('set-cookie')).toMatch(/^session=;.*Expires=Thu, 01 Jan 1970/);
    expectProblem(await me(mine.accessToken), 401, 'unauthenticated');
    expectProblem(await refresh(mine.refreshToken), 401, 'refresh_token_invalid');
    expect((await me(other.accessToken)).status).toBe(200);
  });

  it('ends all other sign-ins, but not the current one, when the password changes', async () => {
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

  it('rejects a new password that is too short', async () => {
    const api = await service.api.signIn(OWNER);
    const response = await api.post('/auth/password', {
      currentPassword: OWNER.password,
      newPassword: 'short',
    });
    expectProblem(response, 400, 'validation_failed');
    expect((await service.api.post('/auth/login', OWNER)).status).toBe(200);
  });

  it('accepts passwords in either Unicode form', async () => {
    const person = await newPerson(await service.api.signIn(OWNER), { role: 'viewer' });
    const change = { currentPassword: PASSWORD, newPassword: 'pässwörd-long'.normalize('NFD') };
    expect((await person.api.post('/auth/password', change)).status).toBe(204);
    const response = await service.api.post('/auth/login', {
      email: person.email,
      password: 'pässwörd-long'.normalize('NFC'),
    });
    expect(response.status).toBe(200);
  });
});

describe('Staying signed in on a process with a wrong clock', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ AUTH_REFRESH_TOKEN_SECONDS: '3600', AUTH_ACCESS_TOKEN_SECONDS: '86400' });
  });
  afterAll(() => service.stop());

  it.each([
    ['ahead', 7_200],
    ['behind', -7_200],
  ])('does not depend on it (%s)', async (_direction, seconds) => {
    const shifted = await launchProcess({
      ...service.env,
      PORT: undefined,
      NODE_OPTIONS: `--import=${join(__dirname, '../support/services/shift-clock.mjs')}`,
      CLOCK_SHIFT_SECONDS: String(seconds),
    });
    try {
      const refreshAt = (at: Service, refreshToken: string) => at.api.post('/auth/refresh', { refreshToken });
      const first = (await service.api.post('/auth/login', OWNER)).body;
      const second = await refreshAt(shifted, first.refreshToken);
      expect(second.status).toBe(200);
      // Two tabs, each connected to a different process.
      expect((await refreshAt(service, first.refreshToken)).status).toBe(200);
      expect((await refreshAt(shifted, first.refreshToken)).status).toBe(200);

      const there = (await shifted.api.post('/auth/login', OWNER)).body;
      expect((await service.api.as(there.accessToken).get('/auth/me')).status).toBe(200);
      const [row] = await query<{ seconds: string }>(
        service.databaseUrl,
        `SELECT max(extract(epoch FROM expires_at - now())) AS seconds FROM sign_ins`,
      );
      expect(Number(row!.seconds)).toBeGreaterThan(3_000);
      expect(Number(row!.seconds)).toBeLessThanOrEqual(3_600);
    } finally {
      await shifted.stop();
    }
  });
});
