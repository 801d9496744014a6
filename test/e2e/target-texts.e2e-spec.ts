import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ApiResponse } from '../support/api/api.js';
import { DeliveringClient, expectOnce, QUICK_DELIVERIES } from '../support/api/deliveries.js';
import { newPerson } from '../support/api/people.js';
import { type Service, startService } from '../support/services/service.js';
import { WordPressMediaLibrary } from '../support/wordpress/wordpress-media.js';
import { drain, type RestRequest, restError, SITE_USER } from '../support/wordpress/wordpress-site.js';

let service: Service;
let client: DeliveringClient;
beforeAll(async () => {
  service = await startService({ ...QUICK_DELIVERIES, DELIVERY_RETRY_SECONDS: '1' });
  client = await DeliveringClient.create(service);
});
afterAll(() => service.stop());

const TOKEN = 'tok-Very/Secret+1234567';
const BARE = SITE_USER.applicationPassword.replaceAll(' ', '');
const PAIR = Buffer.from(`${SITE_USER.username}:${SITE_USER.applicationPassword}`).toString('base64');
/** Every way in which a page might repeat the credentials. */
const echo = (authorization = '') =>
  [
    authorization,
    SITE_USER.applicationPassword,
    encodeURIComponent(SITE_USER.applicationPassword),
    `${SITE_USER.username}:${BARE}`,
    Buffer.from(`x:${BARE}`).toString('base64'),
  ].join(' | ');

/** An HTTP endpoint that accepts every file. */
async function startEndpoint(respond: (request: IncomingMessage) => [Record<string, string>, object]) {
  const server: Server = createServer((request, response) => {
    request.resume().on('end', () => {
      const [headers, json] = respond(request);
      response.writeHead(201, headers).end(JSON.stringify(json));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const target = {
    kind: 'http',
    name: `Files ${port}`,
    url: `http://127.0.0.1:${port}/files`,
    method: 'PUT',
  };
  return { server, target };
}

/** Nobody who may read the records sees any of it, nor is it stored or logged. */
async function expectConcealed(...responses: ApiResponse['body'][]): Promise<void> {
  const viewer = await newPerson(client.owner, { role: 'viewer', clientIds: [client.clientId] });
  const lists = await Promise.all(
    [`${client.admin}/targets`, `${client.admin}/deliveries`, `${client.admin}/audit`].map((path) =>
      (path.endsWith('audit') ? client.owner : viewer.api).get(path),
    ),
  );
  const said = JSON.stringify([...responses, ...lists.map(({ body }) => body)]) + service.output();
  expect(said).toContain('[hidden]');
  for (const secret of [SITE_USER.applicationPassword, BARE, PAIR, TOKEN, encodeURIComponent(TOKEN)])
    for (let at = 0; at + 10 <= secret.length; at++) expect(said).not.toContain(secret.slice(at, at + 10));
}

describe('A site that repeats the credentials it was sent', () => {
  const page = ({ request, response }: RestRequest, status: number) => {
    response.writeHead(status, { 'content-type': 'text/html' });
    response.end(`<html><h1>${status}</h1><pre>${echo(request.headers.authorization)}</pre></html>`);
    return null;
  };

  it.each([
    ['a page', (request: RestRequest) => page(request, 404)],
    ['an error code', ({ request }: RestRequest) => restError(403, request.headers.authorization!, 'x')],
    [
      'a redirect',
      ({ request }: RestRequest) => ({
        status: 302,
        body: {},
        headers: {
          location: `https://other.example/?a=${encodeURIComponent(request.headers.authorization!)}`,
        },
      }),
    ],
  ])('in %s shows them to nobody when it is verified', async (what, handler) => {
    const media = await WordPressMediaLibrary.start();
    media.site.handle('GET', /^\/wp\/v2\/users\/me$/, handler);
    const created = await client.owner.post(
      `${client.admin}/targets`,
      media.site.target({ name: `Verified: ${what}` }),
    );
    expect(created).toMatchObject({ status: 201, body: { state: 'error' } });
    const verified = await client.owner.post(`${client.admin}/targets/${created.body.targetId}/verify`);
    await expectConcealed(created.body, verified.body);
    await media.site.stop();
  });

  it.each([400, 403, 404, 500])('with status %i shows them to nobody after a delivery', async (status) => {
    const media = await WordPressMediaLibrary.start();
    const target = await client.newTarget(media.site.target({ name: `Site ${status}` }));
    media.site.handle('POST', /^\/wp\/v2\/media$/, async ({ request }) => {
      await drain(request);
      const code = status === 500 ? 'rest_upload_unknown_error' : 'rest_refused';
      return restError(status, code, `You sent ${echo(request.headers.authorization)}`);
    });
    const { deliveryId } = await client.deliver(target);
    const failed = await client.waitFor(deliveryId, 'failed');
    const isRetried = status === 404 || status === 500;
    expect(failed.attempts).toBe(isRetried ? 2 : 1);
    expect(failed.lastError.detail).toMatch(
      isRetried ? /That was the last automatic attempt\.$/ : /It will not be retried automatically\.$/,
    );
    expect(failed.lastError.detail).toContain('[hidden]');
    await expectConcealed(failed);
    await media.site.stop();
  });

  it('in the id or the address of a file has its file delivered without them', async () => {
    const endpoint = await startEndpoint(({ headers }) => [
      { location: `/files/7?authorization=${encodeURIComponent(headers.authorization ?? '')}` },
      { id: `7-${headers.authorization}` },
    ]);
    const target = await client.newTarget({ ...endpoint.target, bearerToken: TOKEN });
    const delivered = await client.waitFor((await client.deliver(target)).deliveryId, 'delivered');
    expect(delivered).toMatchObject({ remoteId: null, remoteUrl: null });
    await expectConcealed(delivered);
    endpoint.server.close();
  });
});

describe('The id and the address of a file', () => {
  it.each([
    ['a user name and a password', 'https://user:secret@files.example/7', null],
    ['an empty user name', 'https://@files.example/7', null],
    ['a script', 'javascript:alert(1)', null],
    ['too many characters', `https://files.example/${'a'.repeat(2_100)}`, null],
    ['too many characters once it is encoded', `https://files.example/${'日'.repeat(1_900)}`, null],
    ['bidirectional controls', 'https://files.example/\u202egpj.7', null],
    ['control characters', 'https://files.example/\u00857', null],
    ['spaces', 'https://files.example/a b', null],
    ['other scripts', 'https://files.example/日本', 'https://files.example/%E6%97%A5%E6%9C%AC'],
  ])('are stored by the rules for the addresses of posts: %s', async (_what, url, stored) => {
    const endpoint = await startEndpoint(() => [{}, { id: '7', url }]);
    const target = await client.newTarget(endpoint.target);
    const delivered = await client.waitFor((await client.deliver(target)).deliveryId, 'delivered');
    expect(delivered).toMatchObject({ remoteId: '7', remoteUrl: stored });
    endpoint.server.close();
  });

  it.each([
    ['7\u202e8'],
    ['7\n8'],
    ['7\u20288'],
    ['\ud800'],
    [' '],
    ['7'.repeat(201)],
    [{ toString: 7 }],
    [null],
  ])('are not stored if the id is %j', async (id) => {
    const endpoint = await startEndpoint(() => [{}, { id, url: 'https://files.example/7' }]);
    const target = await client.newTarget(endpoint.target);
    const delivered = await client.waitFor((await client.deliver(target)).deliveryId, 'delivered');
    expect(delivered).toMatchObject({ remoteId: null, remoteUrl: 'https://files.example/7' });
    endpoint.server.close();
  });
});

describe('A site whose responses contain names and types that JavaScript gives a meaning', () => {
  it.each(['constructor', '__proto__', 'toString', 'valueOf', 'hasOwnProperty'])(
    'such as the code %s is reported like any other',
    async (code) => {
      const media = await WordPressMediaLibrary.start();
      const body = `{"code": ${JSON.stringify(code)}, "message": "No."}`;
      const refuse =
        (status: number) =>
        async ({ request, response }: RestRequest) => {
          await drain(request);
          response.writeHead(status, { 'content-type': 'application/json' }).end(body);
          return null;
        };
      const target = await client.newTarget(media.site.target({ name: `Site ${code}` }));
      media.site.handle('POST', /^\/wp\/v2\/media$/, refuse(400));
      const failed = await client.waitFor((await client.deliver(target)).deliveryId, 'failed');
      expect(failed).toMatchObject({
        attempts: 1,
        lastError: { code: 'target_refused', step: 'upload', detail: expect.stringMatching(/“No”\./) },
      });
      media.site.handle('GET', /^\/wp\/v2\/users\/me$/, refuse(401));
      const verified = await client.owner.post(`${client.admin}/targets/${target}/verify`);
      expect(verified.body.steps.at(-1)).toEqual({
        step: 'credentials',
        ok: false,
        cause: expect.stringMatching(/wrong, or the web server/),
        fix: expect.stringMatching(/\w/),
      });
      await media.site.stop();
    },
  );

  it.each([
    ['filesize', { valueOf: 1, toString: 2 }],
    ['filesize', [{}]],
    ['sizes', { __proto__: null, length: {} }],
    ['original_image', { toString: 1 }],
    ['', 'text'],
  ])('such as the %s %j do not stop a delivery', async (name, value) => {
    const media = await WordPressMediaLibrary.start();
    const target = await client.newTarget(media.site.target({ name: `Odd ${Math.random()}` }));
    const details = name === '' ? value : { [name]: value };
    media.changeRecords({ date_gmt: { a: 1 }, media_details: details });
    const delivered = await client.waitFor((await client.deliver(target)).deliveryId, 'delivered');
    expect(delivered.attempts).toBe(1);
    expectOnce(media, delivered);
    await media.site.stop();
  });
});
