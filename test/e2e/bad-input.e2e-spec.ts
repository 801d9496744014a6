import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { ApiResponse, Api } from '../support/api/api.js';
import { newClient, newPerson } from '../support/api/people.js';
import { expectProblem, pathsOf } from '../support/api/problems.js';
import { OWNER, type RunningService } from '../support/services/service.js';
import { sharedService } from '../support/services/shared-service.js';

interface Route {
  readonly method: string;
  readonly path: string;
}

describe('Bad input', () => {
  let service: RunningService;
  let owner: Api;
  let portal: Api;
  /** Every route that takes JSON, with its parameters filled in. */
  let routes: Route[];
  beforeAll(async () => {
    service = await sharedService();
    owner = await service.api.signIn(OWNER);
    const clientId = await newClient(owner);
    portal = (await newPerson(owner, { role: 'client_manager', clientIds: [clientId] })).api;
    const { paths } = (await service.api.get('/openapi.json')).body;
    routes = Object.entries<Record<string, { requestBody?: { content: object } }>>(paths).flatMap(
      ([path, operations]) =>
        Object.entries(operations)
          // The Model Context Protocol has its own errors.
          .filter(
            ([, { requestBody }]) =>
              requestBody && 'application/json' in requestBody.content && path !== '/agents/mcp',
          )
          .map(([method]) => ({
            method: method.toUpperCase(),
            path: path.replace('{clientId}', clientId).replace(/\{\w+\}/g, randomUUID()),
          })),
    );
  });

  /** Sends the same request to every route and checks each response. */
  const toAll = async (body: unknown, check: (response: ApiResponse, route: Route) => void, headers = {}) => {
    expect(routes.length).toBeGreaterThan(5);
    for (const route of routes) {
      const api = route.path.startsWith('/portal/') ? portal : owner;
      check(await api.request(route.method, route.path, { body, headers }), route);
    }
  };

  it('an unknown field is rejected and named', () =>
    toAll({ nmae: 'typo' }, (response) => {
      expectProblem(response, 400, 'validation_failed');
      expect(pathsOf(response)).toContain('nmae');
    }));

  it.each([
    ['an array', []],
    ['an array of objects', [{ name: 'X' }]],
  ])('%s is rejected', (_case, body) =>
    toAll(body, (response) => expectProblem(response, 400, 'validation_failed')),
  );

  it.each([
    ['text', '"text"'],
    ['a number', '5'],
    ['null', 'null'],
    ['half an object', '{"name": '],
    ['two objects', '{}{}'],
    ['a trailing comma', '{"name": "X",}'],
    ['comments', '{/* */}'],
    ['not a number', '{"name": NaN}'],
    ['a byte order mark inside', '{\ufeff}'],
  ])('%s is not accepted as JSON', (_case, body) =>
    toAll(body, (response) => expectProblem(response, 400, 'malformed_json')),
  );

  it('a wrong type is rejected at every field', async () => {
    for (const value of [5, true, [], {}, ['a'], { $gt: '' }]) {
      const body = { email: value, password: value, name: value, role: value };
      expectProblem(await owner.post('/admin/users', body), 400, 'validation_failed');
      expectProblem(
        await owner.post('/auth/login', { email: value, password: value }),
        400,
        'validation_failed',
      );
      expectProblem(await owner.post('/auth/refresh', { refreshToken: value }), 400, 'validation_failed');
      expectProblem(await owner.post('/admin/clients', { name: value }), 400, 'validation_failed');
    }
  });

  it.each([
    '{"__proto__": {"role": "owner"}}',
    '{"name": "X", "__proto__": null}',
    '{"name": {"__proto__": {"a": 1}}}',
    '{"constructor": {"prototype": {"a": 1}}}',
  ])('a prototype cannot be smuggled in: %s', (body) =>
    toAll(body, (response) => expectProblem(response, 400, 'validation_failed')),
  );

  it.each([1_000, 100_000])('a body nested %i deep is rejected', async (depth) => {
    const nested = {
      array: `${'['.repeat(depth)}${']'.repeat(depth)}`,
      object: `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`,
    };
    for (const body of [nested.array, nested.object, `{"name": ${nested.array}}`]) {
      await toAll(body, (response, { path }) => {
        const isTooLarge = path.startsWith('/auth/') && body.length > 16 * 1024;
        if (isTooLarge) expectProblem(response, 413, 'payload_too_large');
        else expectProblem(response, 400, 'validation_failed');
      });
    }
  });

  it('a body of 10 MB is rejected, packed or not', async () => {
    const body = JSON.stringify({ name: 'x'.repeat(10_000_000) });
    const packed = new Uint8Array(gzipSync(body));
    expectProblem(await owner.post('/admin/clients', body), 413, 'payload_too_large');
    expectProblem(await service.api.post('/auth/login', body), 413, 'payload_too_large');
    expectProblem(
      await owner.post('/admin/clients', packed, { 'content-encoding': 'gzip' }),
      413,
      'payload_too_large',
    );
    expect((await service.api.get('/healthz')).status).toBe(200);
  });

  it('a body just under 1 MB is read', async () => {
    const response = await owner.post('/admin/clients', { name: 'x'.repeat(1_000_000) });
    expectProblem(response, 400, 'validation_failed');
  });

  it('another charset or encoding is rejected', async () => {
    for (const headers of [
      { 'content-type': 'application/json; charset=iso-8859-1' },
      { 'content-type': 'application/json; charset=nonsense' },
      { 'content-encoding': 'zip' },
    ]) {
      await toAll('{}', (response) => expectProblem(response, 415, 'unsupported_body'), headers);
    }
    const broken = await owner.post('/admin/clients', '{}', { 'content-encoding': 'gzip' });
    expectProblem(broken, 400, 'malformed_request');
  });

  it('a body of another type counts as none', async () => {
    for (const type of ['text/plain', 'application/xml', 'multipart/form-data; boundary=x', 'nonsense', '']) {
      const response = await owner.post('/admin/clients', '{"name":"X"}', { 'content-type': type });
      expectProblem(response, 400, 'validation_failed');
    }
  });

  it.each([
    ['NUL', '{"name": "a\\u0000b", "email": "a\\u0000b"}'],
    ['NUL in a key', '{"a\\u0000b": 1}'],
    ['a lone high surrogate', '{"name": "\\ud800"}'],
    ['a lone low surrogate', '{"name": "\\udc00 x"}'],
    ['a lone surrogate in a list', '{"clientIds": ["\\ud800"]}'],
  ])('text that cannot be stored is rejected: %s', (_case, body) =>
    toAll(body, (response) => expectProblem(response, 400, 'validation_failed')),
  );

  it.each(['/admin/clients/%00', '/admin/clients?cursor=%00', '/admin/clients?a%00=1', '/%00'])(
    'a NUL in the address is rejected: %s',
    async (path) => expectProblem(await owner.get(path), 400, 'validation_failed'),
  );

  it.each([
    '/admin/clients/%',
    '/admin/clients/%zz',
    '/%ff',
    '/admin/clients/%ed%a0%80',
    '/docs/%c0%ae%c0%ae',
  ])('an address that cannot be decoded is rejected: %s', async (path) =>
    expectProblem(await owner.get(path), 400, 'malformed_request'),
  );

  it.each([
    'limit=0',
    'limit=201',
    'limit=-1',
    'limit=1.5',
    'limit=abc',
    'limit=',
    'limit=Infinity',
    'limit=1&limit=2',
    'limit[]=1',
    'limit[a]=1',
    'cursor=a&cursor=b',
    'limti=5',
    '__proto__=1',
    'constructor=1',
    'cursor=%',
    'cursor=%ff',
  ])('the query %s is rejected', async (query) => {
    for (const list of ['/admin/clients', '/admin/users', '/admin/api-keys']) {
      expectProblem(await owner.get(`${list}?${query}`), 400, 'validation_failed');
    }
  });

  it('a client id that no client can have is not found', async () => {
    for (const id of [
      '..%2f..',
      '%2e%2e',
      'a%20b',
      "'%20OR%201=1",
      'x'.repeat(5_000),
      '%F0%9F%98%80',
      '%E2%80%AE',
    ]) {
      expect((await owner.get(`/admin/clients/${id}/targets`)).status).toBe(404);
    }
  });

  it.each([
    ['GET', '/nowhere'],
    ['DELETE', '/auth/me'],
    ['POST', '/status'],
    ['GET', '/admin'],
    ['GET', '//admin/clients'],
    ['PROPFIND', '/admin/clients'],
  ])('there is no route %s %s', async (method, path) => {
    expectProblem(await service.api.request(method, path), 404, 'route_not_found');
  });

  it('a request id is accepted if harmless, replaced otherwise, and always returned', async () => {
    const idFor = async (given: Record<string, string>, path = '/healthz') =>
      (await service.api.get(path, given)).headers.get('x-request-id');
    expect(await idFor({ 'x-request-id': 'trace-1.2:3_4' })).toBe('trace-1.2:3_4');
    expect(await idFor({ 'x-request-id': 'trace-5' }, '/nowhere')).toBe('trace-5');
    for (const given of ['', 'a b', '<script>', 'x'.repeat(129), 'ä', 'a, b']) {
      expect(await idFor({ 'x-request-id': given })).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    }
    expect(await idFor({})).not.toBe(await idFor({}));
  });
});
