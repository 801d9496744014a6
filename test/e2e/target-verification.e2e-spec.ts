import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { ApiResponse, Api } from '../support/api/api.js';
import { newClient } from '../support/api/people.js';
import { freePort, OWNER, type ServiceProcess, startProcess } from '../support/services/service.js';
import { LOOPBACK_CERTIFICATE, SITE_USER, WordPressSite } from '../support/wordpress/wordpress-site.js';

let service: ServiceProcess;
let owner: Api;
let site: WordPressSite;
let secureSite: WordPressSite;
let path: string;

beforeAll(async () => {
  service = await startProcess({
    TARGETS_ALLOW_PRIVATE: 'true',
    NODE_EXTRA_CA_CERTS: LOOPBACK_CERTIFICATE,
  });
  owner = await service.api.signIn(OWNER);
  path = `/admin/clients/${await newClient(owner)}/targets`;
  [site, secureSite] = [await WordPressSite.start(), await WordPressSite.start({}, { https: true })];
});
afterAll(() => Promise.all([service?.stop(), site?.stop(), secureSite?.stop()]));
beforeEach(() => {
  site.reset();
  secureSite.reset();
});

let created = 0;
const create = (body: Record<string, unknown>): Promise<ApiResponse> =>
  owner.post(path, { ...body, name: `Target ${++created}` });

const WORDPRESS_STEPS = ['address', 'rest-api', 'credentials', 'upload-permission'];

/** Every step except the last passed, and the target contains the finding of the last one. */
function expectFailure(response: ApiResponse, step: string, cause: RegExp, fix = /\w/): void {
  expect(response.status).toBe(201);
  const { state, detail, verification } = response.body;
  expect({ state, ok: verification.ok }).toEqual({ state: 'error', ok: false });
  const passed = verification.steps.slice(0, -1);
  expect(passed.every((each: { ok: boolean }) => each.ok)).toBe(true);
  expect(verification.steps.at(-1)).toEqual({
    step,
    ok: false,
    cause: expect.stringMatching(cause),
    fix: expect.stringMatching(fix),
  });
  expect(detail).toBe(verification.steps.at(-1).cause);
  expect(JSON.stringify(response.body)).not.toMatch(/<\w|\/var\/www|abcd EFGH/);
}

function expectConnected(response: ApiResponse, steps: string[]): void {
  expect(response.body).toMatchObject({
    state: 'connected',
    detail: null,
    verification: { ok: true, steps: steps.map((step) => ({ step, ok: true })) },
  });
  expect(response.status).toBe(201);
}

describe('A WordPress site', () => {
  it.each([
    ['with pretty permalinks', {}],
    ['with plain permalinks', { permalinks: 'plain' as const }],
    ['in a subdirectory', { directory: '/blog' }],
    ['in a subdirectory with plain permalinks', { directory: '/a/b', permalinks: 'plain' as const }],
    ['whose cache drops the Link header', { linkHeader: false }],
    ['whose index is hidden from strangers', { fault: 'index_hidden' as const }],
    ['that prints PHP warnings', { fault: 'php_warnings' as const }],
    ['with an editor', { role: 'editor' as const }],
  ])('is verified %s', async (_what, settings) => {
    site.reset(settings);
    expectConnected(await create(site.target()), WORDPRESS_STEPS);
  });

  it('is found from any pasted page, also by e-mail address; credentials are only sent to the REST API', async () => {
    site.reset({ directory: '/blog' });
    const response = await create(
      site.target({
        baseUrl: `  ${site.baseUrl}/wp-admin/profile.php?x=1#y `,
        username: SITE_USER.email,
        applicationPassword: SITE_USER.applicationPassword.replaceAll(' ', ''),
      }),
    );
    expectConnected(response, WORDPRESS_STEPS);
    expect(response.body.baseUrl).toBe(site.baseUrl);
    const withCredentials = site.requests.filter(({ authorization }) => authorization !== undefined);
    expect(withCredentials.map(({ method, url }) => `${method} ${url.split('?')[0]}`)).toEqual([
      'GET /blog/wp-json/wp/v2/users/me',
      'OPTIONS /blog/wp-json/wp/v2/media',
    ]);
  });

  it('that redirects to https on the same host is stored with https', async () => {
    site.reset({ redirectTo: secureSite.origin });
    const response = await create(site.target());
    expectConnected(response, WORDPRESS_STEPS);
    expect(response.body.baseUrl).toBe(secureSite.origin);
    expect(site.requests.every(({ authorization }) => authorization === undefined)).toBe(true);
  });

  it('that redirects to another host is rejected, and the new address is named', async () => {
    site.reset({ redirectTo: 'https://www.bakery.example' });
    expectFailure(await create(site.target()), 'address', /redirects to https:\/\/www\.bakery\.example\//);
    site.reset({ redirectTo: site.origin });
    expectFailure(await create(site.target()), 'address', /redirects to/);
  });

  it.each([
    [
      'another host',
      'https://other.example/wp-json/',
      /different address: https:\/\/other\.example\/wp-json\//,
    ],
    ['another port', 'http://127.0.0.1:22/wp-json/', /different address/],
    ['nonsense', 'http://[', /No WordPress REST API/],
  ])('whose REST API is announced at %s gets no credentials', async (_what, restRoot, cause) => {
    site.reset({ restRoot });
    expectFailure(await create(site.target()), 'rest-api', cause);
    expect(site.requests.every(({ authorization }) => authorization === undefined)).toBe(true);
  });

  it.each([
    ['no REST API', { linkHeader: false, linkInPage: false }, 'rest-api', /No WordPress REST API/],
    ['another REST API', { fault: 'not_wordpress' }, 'rest-api', /does not belong to WordPress/],
    [
      'no application passwords',
      { applicationPasswords: false },
      'credentials',
      /Application passwords are not/,
    ],
    [
      'a dropped Authorization header',
      { fault: 'authorization_dropped' },
      'credentials',
      /wrong, or the web server/,
    ],
    ['a firewall', { fault: 'firewall' }, 'credentials', /rejected the request \(status 403\)/],
    ['a user who may not upload', { role: 'contributor' }, 'upload-permission', /not allowed to upload/],
    ['a user of another site of the network', { role: null }, 'upload-permission', /not a member/],
    [
      'a password of the web server',
      { fault: 'staging' },
      'address',
      /protects the whole site with a password/,
    ],
    ['maintenance', { fault: 'maintenance' }, 'address', /maintenance/],
    ['a fatal error', { fault: 'fatal' }, 'address', /status 500/],
    ['a connection that is cut', { fault: 'cut' }, 'address', /connection was lost/],
  ] as const)('with %s is reported as such', async (_what, settings, step, cause) => {
    site.reset(settings);
    expectFailure(await create(site.target()), step, cause);
  });

  it.each([
    ['a wrong password', { applicationPassword: 'wrong' }, /application password is wrong/],
    ['an unknown user', { username: 'nobody' }, /no user with this user name/],
  ])('reports %s when the site does', async (_what, change, cause) => {
    expectFailure(await create(site.target(change)), 'credentials', /wrong, or the web server drops/);
    site.reset({ namesWrongCredentials: true });
    expectFailure(await create(site.target(change)), 'credentials', cause);
  });

  it('without a trusted certificate, or without a server, is reported as such', async () => {
    const strict = await service.restart({ PORT: undefined, NODE_EXTRA_CA_CERTS: undefined });
    const response = await owner.at(strict.url).post(path, secureSite.target());
    expectFailure(response, 'address', /certificate is self-signed/);
    await strict.stop();
    const baseUrl = `http://127.0.0.1:${await freePort()}`;
    expectFailure(await create(site.target({ baseUrl })), 'address', /does not accept connections/);
  });

  it('is verified again on request, with its current state', async () => {
    const { targetId } = (await create(site.target())).body;
    site.reset({ fault: 'maintenance' });
    const failed = await owner.post(`${path}/${targetId}/verify`);
    expect(failed).toMatchObject({
      status: 200,
      body: { ok: false, steps: [{ step: 'address', ok: false }] },
    });
    expect((await owner.get(`${path}/${targetId}`)).body).toMatchObject({
      state: 'error',
      detail: failed.body.steps[0].cause,
    });
    site.reset();
    const passed = await owner.post(`${path}/${targetId}/verify`);
    expect(passed.body).toEqual({ ok: true, steps: WORDPRESS_STEPS.map((step) => ({ step, ok: true })) });
    expect((await owner.get(`${path}/${targetId}`)).body).toMatchObject({ state: 'connected', detail: null });
  });
});

describe('Target verification', () => {
  it('checks slow sites of one client a few at a time, without delaying other clients', async () => {
    const { targetId } = (await create(site.target())).body;
    site.reset({ fault: 'hang' });
    const responses: ApiResponse[] = [];
    const verifications = Array.from({ length: 14 }, async () => {
      const response = await owner.post(`${path}/${targetId}/verify`);
      responses.push(response);
      return response;
    });
    // Three run, ten wait, and one is too many.
    await Promise.race(verifications);
    expect(responses.map(({ status, body }) => [status, body.code])).toEqual([[429, 'too_many_requests']]);
    expect(Number(responses[0]!.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(site.requests.length).toBeLessThanOrEqual(3);

    const other = `/admin/clients/${await newClient(owner)}/targets`;
    expect((await owner.post(other, secureSite.target())).body.state).toBe('connected');
    site.settings.fault = 'cut';
    site.cutConnections();
    const statuses = (await Promise.all(verifications)).map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array<number>(13).fill(200), 429]);
  });
});

describe('An HTTP endpoint', () => {
  let server: Server;
  let respond: (authorization: string | undefined) => [status: number, headers?: Record<string, string>];
  const seen: string[] = [];
  const endpoint = (change = {}) => ({
    kind: 'http',
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/in?box=1`,
    method: 'PUT',
    ...change,
  });
  beforeAll(async () => {
    server = createServer((request, response) => {
      seen.push(`${request.method} ${request.url} ${request.headers.authorization}`);
      response.writeHead(...respond(request.headers.authorization)).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => server.close());

  it.each([200, 204, 404, 405])('is reachable when it responds with %i', async (status) => {
    respond = () => [status];
    expectConnected(await create(endpoint()), ['address', 'reachable', 'credentials']);
    expect(seen.at(-1)).toBe('HEAD /in?box=1 undefined');
  });

  it('is called with its bearer token', async () => {
    respond = (authorization) => [authorization === 'Bearer right' ? 200 : 401];
    expectConnected(await create(endpoint({ bearerToken: 'right' })), [
      'address',
      'reachable',
      'credentials',
    ]);
    expectFailure(
      await create(endpoint({ bearerToken: 'wrong' })),
      'credentials',
      /rejected the bearer token/,
    );
    expectFailure(await create(endpoint()), 'credentials', /requires credentials/);
  });

  it('is not followed to another address', async () => {
    respond = () => [307, { location: 'https://elsewhere.example/<script>' }];
    expectFailure(await create(endpoint()), 'reachable', /redirects to https:\/\/elsewhere\.example\//);
  });
});
