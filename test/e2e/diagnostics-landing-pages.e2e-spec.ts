import type { ApiResponse, Api } from '../support/api/api.js';
import { newClient, newKey, newPerson } from '../support/api/people.js';
import { expectProblem, pathsOf } from '../support/api/problems.js';
import { rawRequest, sendText } from '../support/api/raw-request.js';
import { OWNER, type Service, startService } from '../support/services/service.js';

describe('Landing pages', () => {
  let service: Service;
  let replica: Service;
  let owner: Api;
  let operator: Api;
  let clientId: string;
  beforeAll(async () => {
    service = await startService({ TRUST_PROXY: 'true' });
    replica = await service.another();
    owner = await service.api.signIn(OWNER);
    clientId = await newClient(owner);
    operator = (await newPerson(owner, { role: 'operator', clientIds: [clientId] })).api;
    await create({ slug: 'autumn', url: 'https://bakery.example/autumn', name: 'Autumn breads' });
  });
  afterAll(() => Promise.all([service.stop(), replica.stop()]));

  const pages = (of = clientId) => `/admin/clients/${of}/landing-pages`;
  const create = (body: object, of = clientId) => operator.post(pages(of), body);
  let lastAddress = 0;
  /** From a different address each time, so that only the test of the limit reaches the limit. */
  const visit = (path: string, headers: Record<string, string> = {}) =>
    service.api.get(`/lp-api/${path}`, {
      'x-forwarded-for': `203.0.113.${(++lastAddress % 250) + 1}`,
      ...headers,
    });

  it('are created, listed page by page, and limited to their client', async () => {
    expect(await create({ slug: 'a-page', url: 'https://bakery.example/a', name: ' A ' })).toMatchObject({
      status: 201,
      body: { slug: 'a-page', clientId, url: 'https://bakery.example/a', name: 'A' },
    });
    const first = await operator.get(`${pages()}?limit=1`);
    expect(first.body.landingPages).toEqual([expect.objectContaining({ slug: 'a-page' })]);
    const second = await operator.get(`${pages()}?limit=1&cursor=${first.body.nextCursor}`);
    expect(second.body.landingPages).toEqual([expect.objectContaining({ slug: 'autumn' })]);
    expect(second.body.nextCursor).toBeNull();

    const other = await newClient(owner);
    expect((await owner.get(pages(other))).body).toEqual({ landingPages: [], nextCursor: null });
    expectProblem(await operator.get(pages(other)), 404, 'client_not_found');
    expectProblem(
      await create({ slug: 'z', url: 'https://a.example', name: 'z' }, other),
      404,
      'client_not_found',
    );
    // One namespace for all clients: the public address contains only the slug.
    expectProblem(
      await owner.post(pages(other), { slug: 'autumn', url: 'https://a.example', name: 'Mine' }),
      409,
      'slug_taken',
    );
    const viewer = (await newPerson(owner, { role: 'viewer' })).api;
    expect((await viewer.get(pages())).status).toBe(200);
    const page = { slug: 'v', url: 'https://a.example', name: 'v' };
    expectProblem(await viewer.post(pages(), page), 403, 'permission_denied');
    const agent = service.api.as((await newKey(owner, { role: 'agent', clientIds: [clientId] })).key);
    for (const refused of [await agent.get(pages()), await agent.post(pages(), page)])
      expectProblem(refused, 403, 'permission_denied');
  });

  it.each([
    ['a slug in capitals', { slug: 'Autumn' }, 'slug'],
    ['a slug with a path traversal', { slug: '../admin' }, 'slug'],
    ['a slug with a space', { slug: 'a b' }, 'slug'],
    ['no slug', { slug: '' }, 'slug'],
    ['an address with a script', { url: 'javascript:alert(1)' }, 'url'],
    ['credentials in the address', { url: 'https://a:b@a.example/' }, 'url'],
    ['an invalid address', { url: 'http://xn--a' }, 'url'],
    ['no name', { name: ' ' }, 'name'],
  ])('are rejected with %s', async (_what, wrong, field) => {
    const response = await create({ slug: 'fine', url: 'https://a.example', name: 'Fine', ...wrong });
    expectProblem(response, 400, 'validation_failed');
    expect(pathsOf(response)).toContain(field);
  });

  it.each([
    ['nothing', '', undefined, { source: '(direct)', medium: '(none)', channel: 'Direct' }],
    [
      'utm values',
      '?utm_source=Newsletter&utm_medium=email&utm_campaign=Bread',
      'https://www.google.com/',
      { source: 'newsletter', medium: 'email', channel: 'Email', campaign: 'Bread' },
    ],
    [
      'a click id',
      '?gclid=abc',
      'https://www.google.com/',
      { source: 'google', medium: 'cpc', channel: 'Paid search', clickIds: { gclid: 'abc' } },
    ],
    [
      'a search engine',
      '',
      'https://www.google.co.uk/search',
      { source: 'google', medium: 'organic', channel: 'Organic search' },
    ],
    [
      'a social network',
      '',
      'https://l.instagram.com/',
      { source: 'instagram', medium: 'social', channel: 'Organic social' },
    ],
    [
      'another site',
      '',
      'https://blog.example/post',
      { source: 'blog.example', medium: 'referral', channel: 'Referral' },
    ],
    ['its own site', '', 'https://bakery.example/home', { source: '(direct)', channel: 'Direct' }],
  ])('attribute a visit with %s, without authentication', async (_what, search, referer, expected) => {
    const response = await visit(`autumn${search}`, referer ? { referer } : {});
    expect(response).toMatchObject({
      status: 200,
      body: { slug: 'autumn', clientId, referrer: referer ?? null, ...expected },
    });
    expect(response.headers.get('cache-control')).toBe('private, no-store');
  });

  const expectClean = (response: ApiResponse) => {
    expect(response.status).toBeLessThan(500);
    expect(response.headers.get('content-type')).toMatch(/^application\/(problem\+)?json\b/);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  };

  it('take the first of a repeated parameter, and no arrays or objects', async () => {
    const repeated = await visit('autumn?utm_source=first&utm_source=second&utm_source=third');
    expect(repeated.body).toMatchObject({ source: 'first', utm: { utm_source: 'first' } });
    for (const search of [
      'utm_source[]=x&utm_medium[a]=y',
      'utm_source%5B%5D=x',
      '__proto__[utm_source]=x',
    ]) {
      const response = await visit(`autumn?${search}`);
      expectClean(response);
      expect(response.body).toMatchObject({ source: '(direct)', utm: {} });
    }
  });

  it.each([
    ['10 KB of one value', `utm_source=${'x'.repeat(10_000)}`],
    ['10 KB of parameters', Array.from({ length: 1_000 }, (_, n) => `utm_id=${n}`).join('&')],
    ['broken percent-encoding', 'utm_source=%E0%A4%A'],
    ['control characters', 'utm_source=%00%0d%0aSet-Cookie:x'],
    ['half a character', 'utm_source=%ED%A0%80'],
    ['markup', 'utm_source=%3Cscript%3Ealert(1)%3C/script%3E'],
  ])('return a clean response to %s', async (_what, search) => {
    const response = await visit(`autumn?${search}`);
    expectClean(response);
    expect([200, 400, 414]).toContain(response.status);
    expect(response.headers.get('set-cookie')).toBeNull();
    for (const value of Object.values((response.body.utm ?? {}) as Record<string, string>))
      expect(value.length).toBeLessThanOrEqual(500);
  });

  it.each([
    'javascript:alert(1)',
    '"><script>alert(1)</script>',
    'https://google.com.evil.example/',
    'https://evil.example/?x=https://www.google.com/',
    'not an address',
    'javascript://www.google.com/%0aalert(1)',
    'data:text/html,<script>alert(1)</script>',
    'https://www.google.com@evil.example/',
    'https://%zz.google.com/',
    'https://evil.example/%zz%',
    `https://evil.example/${'x'.repeat(9_000)}`,
  ])('do not accept a hostile referrer as what it claims to be: %.40s', async (referer) => {
    const response = await visit('autumn', { referer });
    expectClean(response);
    expect(response.status).toBe(200);
    expect(['organic', 'social']).not.toContain(response.body.medium);
    expect(response.body.referrer.length).toBeLessThanOrEqual(2_000);
  });

  it.each([
    'nowhere',
    'Autumn',
    '%3Cscript%3E',
    'autumn%00',
    'autumn%2500',
    'autumn%2Fx',
    '%2e%2e%2fautumn',
    '..%5cautumn',
    'autumn%',
    '%',
    '%zz',
    '%C0%AF',
    'autumn;x=1',
    'a'.repeat(2_000),
    '-',
    '%F0%9F%8D%9E',
  ])('that do not exist are not found, and their name is not returned: %.30s', async (slug) => {
    const from = { 'x-forwarded-for': '203.0.113.251' };
    const response = await rawRequest(service.url, 'GET', `/lp-api/${slug}`, from);
    expect([400, 404]).toContain(response.status);
    expect(response.code).toMatch(/^(landing_page_not_found|validation_failed|malformed_request)$/);
    expect(response.body).not.toMatch(/<script|nowhere/);
  });

  it.each([
    ['a query string of 20 KB', `/lp-api/autumn?utm_source=${'x'.repeat(20_000)}`, {}],
    ['a referrer of 20 KB', '/lp-api/autumn', { referer: `https://evil.example/${'x'.repeat(20_000)}` }],
  ])('reject %s before reading anything, and continue', async (_what, path, headers) => {
    // Sent by hand: the connection may end before all of the request is sent.
    const response = await sendText(
      service.port,
      `GET ${path} HTTP/1.1\r\nHost: test\r\n${Object.entries(headers)
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join('')}\r\n`,
    );
    expect(response).toMatch(/^HTTP\/1\.1 431 /);
    expect(response).not.toContain('xxx');
    expect((await visit('autumn')).status).toBe(200);
  });

  it('respond 120 times a minute to one address, across all processes', async () => {
    const from = { 'x-forwarded-for': '198.51.100.7' };
    const ask = (at: Service) => at.api.get('/lp-api/autumn', from);
    const responses = await Promise.all(
      Array.from({ length: 140 }, (_, n) => ask(n % 2 === 0 ? service : replica)),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(120);
    const refused = responses.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(20);
    for (const response of [refused[0]!, await ask(service), await ask(replica)]) {
      expectProblem(response, 429, 'too_many_requests');
      const wait = Number(response.headers.get('retry-after'));
      expect(wait).toBeGreaterThan(0);
      expect(wait).toBeLessThanOrEqual(60);
    }
    expect((await visit('autumn')).status).toBe(200);
  });
});
