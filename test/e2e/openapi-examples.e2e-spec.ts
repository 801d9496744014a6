import { Api, type ApiResponse } from '../support/api/api.js';
import { newPerson } from '../support/api/people.js';
import { OWNER, type Service, startService } from '../support/services/service.js';
import { expectStatus, uniqueJpeg, Uploader } from '../support/api/uploads.js';

/** Raw JSON, because its shape is what these tests check. */
type Json = any;

/** What only an earlier response can contain. An asset is the exception: the test has one. */
const EARLIER_IDS =
  /^(archiveId|sessionId|keyId|userId|signInId|token|targetId|deliveryId|batchId|folderId|uploadToken|refreshToken)$/;
const ASSET_REF = 'asset_01h455vb4pex5vsknk084sn02q';
const DEMO = { email: 'operator@example.com', password: 'demo-demo-demo' };

/** Operations that are documented as never succeeding, with the code of their problem. */
const ALWAYS_REFUSED: Readonly<Record<string, string>> = {
  'GET /agents/mcp': 'method_not_allowed',
  'DELETE /agents/mcp': 'method_not_allowed',
};

interface Attempt {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly type?: string;
  readonly body?: Json;
}

/** The requests that Swagger UI fills in: bodies, and the parameters that have an example. */
function attemptsOf(document: Json): Attempt[] {
  return Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).flatMap(([method, { parameters = [], requestBody }]) => {
      let filled = path;
      const query = new URLSearchParams();
      for (const { name, in: place, example, schema } of parameters) {
        const value = example ?? schema.example;
        if (place === 'path') filled = filled.replace(`{${name}}`, String(value));
        else if (place === 'query' && value !== undefined) query.append(name, String(value));
      }
      const attempt = {
        name: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path: filled + (query.size > 0 ? `?${query.toString()}` : ''),
      };
      if (!requestBody) return [attempt];
      const [[type, { example, examples }]] = Object.entries<Json>(requestBody.content) as [[string, Json]];
      const bodies = examples ? Object.values<Json>(examples).map(({ value }) => value) : [example];
      return bodies.map((body) => ({ ...attempt, type, body }));
    }),
  );
}

function needsEarlierId({ name, body }: Attempt): boolean {
  if (name.includes('/trash/{assetId}')) return true;
  const names = [...name.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter!);
  return [...names, ...Object.keys(body ?? {})].some((each) => EARLIER_IDS.test(each));
}

/** What creates comes before what reads, changes and removes; whoever changes the password or signs out goes last. */
const ORDER = ['POST', 'PUT', 'GET', 'PATCH', 'DELETE'];
const rank = ({ name, method }: Attempt) =>
  /\/auth\/(password|logout)/.test(name) ? ORDER.length + name.indexOf('logout') : ORDER.indexOf(method);

describe('The examples in the OpenAPI document', () => {
  let service: Service;
  let callers: Record<'admin' | 'portal' | 'auth', Api>;
  let assetRefs: { admin: string; portal: string };
  let attempts: Attempt[];
  beforeAll(async () => {
    service = await startService();
    const owner = await service.api.signIn(OWNER);
    expectStatus(await owner.post('/admin/clients', { clientId: 'demo', name: 'Demo' }), 201);
    const operator = { ...DEMO, name: 'Oscar', role: 'operator', clientIds: null };
    expectStatus(await owner.post('/admin/users', operator), 201);
    expectStatus(await owner.post('/admin/clients', { clientId: 'other', name: 'Other' }), 201);
    const client = await newPerson(owner, { role: 'client_manager', clientIds: ['other'] });
    callers = { admin: owner, portal: client.api, auth: await service.api.signIn(DEMO) };
    assetRefs = {
      admin: (await Uploader.admin(owner, 'demo').upload(uniqueJpeg())).assetRef,
      portal: (await Uploader.admin(owner, 'other').upload(uniqueJpeg())).assetRef,
    };
    const { body } = await service.api.get('/openapi.json');
    attempts = attemptsOf(body)
      .filter((attempt) => !needsEarlierId(attempt))
      .sort((a, b) => rank(a) - rank(b) || (a.method === 'DELETE' ? b.path.localeCompare(a.path) : 0));
  });
  afterAll(() => service?.stop());

  const send = async ({ name, method, path, type, body }: Attempt): Promise<ApiResponse> => {
    const side = /^\S+ \/(portal|auth)\b/.exec(name)?.[1] as 'portal' | 'auth' | undefined;
    const fill = (text: string) =>
      text.replaceAll(ASSET_REF, assetRefs[side === 'portal' ? 'portal' : 'admin']);
    const text =
      type === 'application/x-www-form-urlencoded' ? String(new URLSearchParams(body)) : JSON.stringify(body);
    const response = await callers[side ?? 'admin'].fetch(method, fill(path), {
      headers: type ? { 'content-type': type } : {},
      body: type ? fill(text) : undefined,
    });
    if (path.endsWith('/events')) {
      // They never end.
      await response.body!.cancel();
      return { status: response.status, headers: response.headers, body: null };
    }
    const content = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json');
    return {
      status: response.status,
      headers: response.headers,
      body: isJson ? JSON.parse(content) : content,
    };
  };

  it('work as they are, except for those that need the id of something created before', async () => {
    expect(attempts.length).toBeGreaterThan(60);
    const refused: string[] = [];
    for (const attempt of attempts) {
      const { status, body } = await send(attempt);
      const isToolError = /isError\W+true/.test(JSON.stringify(body));
      const isExpected = status < 300 ? !isToolError : ALWAYS_REFUSED[attempt.name] === body?.code;
      if (!isExpected) refused.push(`${attempt.name}: ${status} ${JSON.stringify(body)}`);
    }
    expect(refused).toEqual([]);
  });

  it('hold required members only, or those without which the request would be pointless', async () => {
    const { body: document } = await service.api.get('/openapi.json');
    const upload = document.paths['/admin/clients/{clientId}/assets/upload-session'].post;
    expect(upload.requestBody.content['application/json'].example).toEqual({
      originalFilename: expect.any(String),
      mimeType: 'image/jpeg',
      expectedSizeBytes: expect.any(Number),
    });
    const bodies = attemptsOf(document).filter(({ type }) => type !== undefined);
    expect(bodies.filter(({ body }) => body === undefined).map(({ name }) => name)).toEqual([]);
  });
});
