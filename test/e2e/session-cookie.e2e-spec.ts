import { newPerson } from '../support/people.js';
import { expectProblem } from '../support/problems.js';
import { OWNER, type Service, startService } from '../support/service.js';

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
    const answer = await service.api.post('/auth/login', OWNER);
    const set = cookieOf(answer.headers);
    expect(pairOf(set)).toBe(`session=${answer.body.accessToken}`);
    expect(attributesOf(set)).toEqual(
      expect.arrayContaining(['HttpOnly', 'SameSite=Strict', 'Path=/', 'Max-Age=900']),
    );
    expect(attributesOf(set)).not.toContain('Secure');
    expect(set).not.toMatch(/domain=/i);
  });

  it('is renewed with each refresh', async () => {
    const { refreshToken } = (await service.api.post('/auth/login', OWNER)).body;
    const answer = await service.api.post('/auth/refresh', { refreshToken });
    expect(pairOf(cookieOf(answer.headers))).toBe(`session=${answer.body.accessToken}`);
  });

  it('is not set for OAuth 2 clients', async () => {
    const form = new URLSearchParams({
      grant_type: 'password',
      username: OWNER.email,
      password: OWNER.password,
    });
    const answer = await service.api.post('/auth/token', form.toString(), {
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  it('authenticates reading without further proof', async () => {
    const answer = await service.api.get('/auth/me', { cookie: `other=1; ${cookie}; last=2` });
    expect(answer).toMatchObject({ status: 200, body: { email: OWNER.email } });
  });

  it.each([
    ['nothing', {}],
    ['a foreign Origin', { origin: 'https://evil.example.com' }],
    ['an origin that CORS allows to read', { origin: 'https://portal.example.com' }],
    ['an opaque Origin', { origin: 'null' }],
    ['a cross-site fetch', { 'sec-fetch-site': 'cross-site' }],
    ['a same-site fetch of another host', { 'sec-fetch-site': 'same-site' }],
  ])('does not authenticate changes that prove their origin by %s', async (_case, headers) => {
    expectProblem(await rename(headers), 403, 'origin_not_allowed');
  });

  it('authenticates changes from our own pages', async () => {
    expect((await rename({ origin: service.url })).status).toBe(201);
    expect((await rename({ 'sec-fetch-site': 'same-origin' })).status).toBe(201);
  });

  it('yields to a header, even to a wrong one', async () => {
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

  it('answers a foreign origin without CORS headers, an allowed one with them', async () => {
    const foreign = await service.api.get('/status', { origin: 'https://evil.example.com' });
    expect(foreign.headers.get('access-control-allow-origin')).toBeNull();
    const allowed = await service.api.get('/status', { origin: 'https://portal.example.com' });
    expect(allowed.headers.get('access-control-allow-origin')).toBe('https://portal.example.com');
    expect(allowed.headers.get('access-control-allow-credentials')).toBeNull();
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

  it('does not take a cookie that lacks the prefix', async () => {
    const { accessToken } = (await service.api.post('/auth/login', OWNER)).body;
    expectProblem(
      await service.api.get('/auth/me', { cookie: `session=${accessToken}` }),
      401,
      'unauthenticated',
    );
  });

  it('knows its own origin by PUBLIC_URL and asks browsers to stay on https', async () => {
    const cookie = pairOf(cookieOf((await service.api.post('/auth/login', OWNER)).headers));
    const answer = await service.api.post(
      '/admin/clients',
      { name: 'From our page' },
      { cookie, origin: 'https://library.example.com' },
    );
    expect(answer.status).toBe(201);
    expect(answer.headers.get('strict-transport-security')).toMatch(/max-age=\d+/);
  });
});
