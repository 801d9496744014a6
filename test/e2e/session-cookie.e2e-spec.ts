import { newPerson } from '../support/api/people.js';
import { expectProblem } from '../support/api/problems.js';
import { OWNER, query, type Service, startService } from '../support/services/service.js';

const cookieOf = (headers: Headers) => headers.getSetCookie()[0] ?? '';
const attributesOf = (cookie: string) => cookie.split('; ').slice(1);
const pairOf = (cookie: string) => cookie.split('; ')[0]!;

describe('The session cookie', () => {
  let service: Service;
  let cookie: string;
  beforeAll(async () => {
    service = await startService({ CORS_ORIGINS: 'https://portal.example.com' });
    cookie = pairOf(cookieOf((await service.api.post('/auth/login', OWNER)).headers));
  });
  afterAll(() => service.stop());

  const rename = (headers: Record<string, string>) =>
    service.api.post('/admin/clients', { name: 'By cookie' }, { cookie, ...headers });

  it('is set at sign-in, out of reach of scripts and of other sites', async () => {
    const response = await service.api.post('/auth/login', OWNER);
    const set = cookieOf(response.headers);
    expect(pairOf(set)).toBe(`session=${response.body.accessToken}`);
    expect(attributesOf(set)).toEqual(
      expect.arrayContaining(['HttpOnly', 'SameSite=Strict', 'Path=/', 'Max-Age=900']),
    );
    expect(attributesOf(set)).not.toContain('Secure');
    expect(set).not.toMatch(/domain=/i);
  });

  it('is renewed with each refresh', async () => {
    const { refreshToken } = (await service.api.post('/auth/login', OWNER)).body;
    const response = await service.api.post('/auth/refresh', { refreshToken });
    expect(pairOf(cookieOf(response.headers))).toBe(`session=${response.body.accessToken}`);
  });

  it('has a companion for a frame on another site, which only refreshes, for our own pages', async () => {
    const named = (headers: Headers) =>
      headers.getSetCookie().find((set) => set.startsWith('embedded-refresh='));
    expect(named((await service.api.post('/auth/login', OWNER)).headers)).toBeUndefined();
    const signedIn = await service.api.post('/auth/login', { ...OWNER, embedded: true });
    const set = named(signedIn.headers)!;
    expect(attributesOf(set)).toEqual(
      expect.arrayContaining(['HttpOnly', 'SameSite=None', 'Secure', 'Partitioned', 'Path=/auth']),
    );
    const refresh = (headers: Record<string, string>) =>
      service.api.post('/auth/refresh', { embedded: true }, { cookie: pairOf(set), ...headers });
    for (const headers of [{}, { origin: 'https://evil.example.com' }, { 'sec-fetch-site': 'cross-site' }])
      expectProblem(await refresh(headers as Record<string, string>), 403, 'origin_not_allowed');
    expectProblem(await service.api.get('/auth/me', { cookie: pairOf(set) }), 401, 'unauthenticated');
    const refreshed = await refresh({ 'sec-fetch-site': 'same-origin' });
    expect(refreshed.status).toBe(200);
    expect(pairOf(named(refreshed.headers)!)).toBe(`embedded-refresh=${refreshed.body.refreshToken}`);
  });

  it('is not set for OAuth 2 clients', async () => {
    const form = new URLSearchParams({
      grant_type: 'password',
      username: OWNER.email,
      password: OWNER.password,
    });
    const response = await service.api.post('/auth/token', form.toString(), {
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect(response.status).toBe(200);
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  it('authenticates reads without further proof', async () => {
    const response = await service.api.get('/auth/me', { cookie: `other=1; ${cookie}; last=2` });
    expect(response).toMatchObject({ status: 200, body: { email: OWNER.email } });
  });

  it.each([
    ['nothing', {}],
    ['a foreign Origin', { origin: 'https://evil.example.com' }],
    ['an origin that CORS allows to read', { origin: 'https://portal.example.com' }],
    ['an opaque Origin', { origin: 'null' }],
    ['a cross-site fetch', { 'sec-fetch-site': 'cross-site' }],
    ['a same-site fetch of another host', { 'sec-fetch-site': 'same-site' }],
  ])('does not authenticate changes whose proof of origin is %s', async (_case, headers) => {
    expectProblem(await rename(headers), 403, 'origin_not_allowed');
  });

  it('authenticates changes from our own pages', async () => {
    expect((await rename({ origin: service.url })).status).toBe(201);
    expect((await rename({ 'sec-fetch-site': 'same-origin' })).status).toBe(201);
  });

  it('is ignored if there is a header, even an invalid one', async () => {
    const viewer = await newPerson(await service.api.signIn(OWNER), { role: 'viewer' });
    const both = await viewer.api.get('/auth/me', { cookie });
    expect(both.body).toMatchObject({ email: viewer.email, role: 'viewer' });
    expectProblem(await service.api.as('wrong').get('/auth/me', { cookie }), 401, 'unauthenticated');
    expectProblem(
      await service.api.get('/auth/me', { cookie, 'x-api-key': 'wrong' }),
      401,
      'unauthenticated',
    );
    expectProblem(
      await service.api.get('/auth/me', { cookie, authorization: 'Basic YTpi' }),
      401,
      'unauthenticated',
    );
  });

  it('responds to a foreign origin without CORS headers, and to an allowed one with them', async () => {
    const foreign = await service.api.get('/status', { origin: 'https://evil.example.com' });
    expect(foreign.headers.get('access-control-allow-origin')).toBeNull();
    const allowed = await service.api.get('/status', { origin: 'https://portal.example.com' });
    expect(allowed.headers.get('access-control-allow-origin')).toBe('https://portal.example.com');
    expect(allowed.headers.get('access-control-allow-credentials')).toBeNull();
  });
});

describe('The refresh cookie', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  const setBy = (headers: Headers) =>
    headers.getSetCookie().find((cookie) => /^(__Secure-)?refresh=/.test(cookie)) ?? '';
  const signIn = async () => {
    const { headers, body } = await service.api.post('/auth/login', OWNER);
    return { cookie: pairOf(setBy(headers)), body };
  };
  const refresh = (
    cookie: string,
    headers: Record<string, string> = { origin: service.url },
    body?: unknown,
  ) => service.api.post('/auth/refresh', body, { cookie, ...headers });

  it('is set at sign-in, for sign-in routes only, out of reach of scripts and of other sites', async () => {
    const { headers, body } = await service.api.post('/auth/login', OWNER);
    expect(pairOf(setBy(headers))).toBe(`refresh=${body.refreshToken}`);
    expect(attributesOf(setBy(headers))).toEqual(
      expect.arrayContaining(['HttpOnly', 'SameSite=Strict', 'Path=/auth', 'Max-Age=2592000']),
    );
  });

  it('refreshes without a body, and is rotated with the token', async () => {
    const { cookie } = await signIn();
    const response = await refresh(cookie);
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ tokenType: 'Bearer', user: { email: OWNER.email } });
    const next = pairOf(setBy(response.headers));
    expect(next).toBe(`refresh=${response.body.refreshToken}`);
    expect(next).not.toBe(cookie);
    expect((await refresh(next, { 'sec-fetch-site': 'same-origin' }, {})).status).toBe(200);
    // Within the grace for two tabs.
    expect((await refresh(cookie)).status).toBe(200);
    expect((await service.api.as(response.body.accessToken as string).get('/auth/me')).status).toBe(200);
  });

  it('ends the whole sign-in when it is reused after the grace period', async () => {
    const { cookie } = await signIn();
    const { accessToken } = (await refresh(cookie)).body;
    await query(
      service.databaseUrl,
      `UPDATE refresh_tokens SET used_at = used_at - interval '11 seconds' WHERE used_at IS NOT NULL`,
    );
    expectProblem(await refresh(cookie), 401, 'refresh_token_invalid');
    expect((await service.api.as(accessToken as string).get('/auth/me')).status).toBe(401);
  });

  it.each([
    ['nothing', {}],
    ['a foreign Origin', { origin: 'https://evil.example.com' }],
    ['a cross-site fetch', { 'sec-fetch-site': 'cross-site' }],
  ])('does not refresh for a request whose proof of origin is %s', async (_case, headers) => {
    const { cookie } = await signIn();
    expectProblem(await refresh(cookie, headers), 403, 'origin_not_allowed');
    // The token was not used either.
    expect((await refresh(cookie)).status).toBe(200);
  });

  it('is ignored if the body contains a token, which needs no proof and replaces it', async () => {
    const { cookie } = await signIn();
    const other = await newPerson(await service.api.signIn(OWNER), { role: 'viewer' });
    const { refreshToken } = (
      await service.api.post('/auth/login', { email: other.email, password: other.password })
    ).body;
    const response = await refresh(cookie, {}, { refreshToken });
    expect(response.body.user).toMatchObject({ email: other.email });
    expect(pairOf(setBy(response.headers))).toBe(`refresh=${response.body.refreshToken}`);
    expectProblem(await refresh(cookie, {}, { refreshToken: 'wrong' }), 401, 'refresh_token_invalid');
    expectProblem(await refresh(cookie, {}, { refreshToken: '' }), 400, 'validation_failed');
    expect((await refresh(cookie)).status).toBe(200);
  });

  it('is required when the body contains no token', async () => {
    expectProblem(await service.api.post('/auth/refresh'), 401, 'refresh_token_invalid');
    expectProblem(await service.api.post('/auth/refresh', {}), 401, 'refresh_token_invalid');
  });

  it("is deleted at sign-out, together with the browser's cache", async () => {
    const { cookie, body } = await signIn();
    const response = await service.api.as(body.accessToken as string).post('/auth/logout');
    expect(setBy(response.headers)).toMatch(/^refresh=;.*Path=\/auth;.*Expires=Thu, 01 Jan 1970/);
    expect(response.headers.get('clear-site-data')).toBe('"cache"');
    expectProblem(await refresh(cookie), 401, 'refresh_token_invalid');
  });
});

describe('The session cookie on https', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ PUBLIC_URL: 'https://library.example.com' });
  });
  afterAll(() => service.stop());

  it('is Secure and bound to the host', async () => {
    const set = cookieOf((await service.api.post('/auth/login', OWNER)).headers);
    expect(set).toMatch(/^__Host-session=/);
    expect(attributesOf(set)).toEqual(
      expect.arrayContaining(['Secure', 'HttpOnly', 'SameSite=Strict', 'Path=/']),
    );
    expect((await service.api.get('/auth/me', { cookie: pairOf(set) })).status).toBe(200);
  });

  it('comes with a Secure refresh cookie', async () => {
    const cookies = (await service.api.post('/auth/login', OWNER)).headers.getSetCookie();
    const set = cookies.find((cookie) => cookie.startsWith('__Secure-refresh='))!;
    expect(attributesOf(set)).toEqual(expect.arrayContaining(['Secure', 'HttpOnly', 'Path=/auth']));
    const origin = 'https://library.example.com';
    const response = await service.api.post('/auth/refresh', undefined, { cookie: pairOf(set), origin });
    expect(response.status).toBe(200);
  });

  it('does not accept a cookie without the prefix', async () => {
    const { accessToken } = (await service.api.post('/auth/login', OWNER)).body;
    expectProblem(
      await service.api.get('/auth/me', { cookie: `session=${accessToken}` }),
      401,
      'unauthenticated',
    );
  });

  it('determines its own origin from PUBLIC_URL and tells browsers to stay on https', async () => {
    const cookie = pairOf(cookieOf((await service.api.post('/auth/login', OWNER)).headers));
    const response = await service.api.post(
      '/admin/clients',
      { name: 'From our page' },
      { cookie, origin: 'https://library.example.com' },
    );
    expect(response.status).toBe(201);
    expect(response.headers.get('strict-transport-security')).toMatch(/max-age=\d+/);
  });
});
