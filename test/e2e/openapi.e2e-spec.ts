import { listRouteRules } from '../support/contract/route-rules.js';
import { type RunningService } from '../support/services/service.js';
import { sharedService } from '../support/services/shared-service.js';

/** Raw JSON, because its shape is what these tests check. */

type Json = any;
type Operation = Record<string, Json>;

/** The words that operation ids may begin with. */
const VERBS =
  'accept apply cancel change check create delete download end finalize get list open pick purge put record refresh renew report request resolve restore retry revoke send set sign stream test trash update verify'.split(
    ' ',
  );

describe('The OpenAPI document', () => {
  let service: RunningService;
  let document: Record<string, Json>;
  let operations: [name: string, operation: Operation][];
  beforeAll(async () => {
    service = await sharedService();
    document = (await service.api.get('/openapi.json')).body;
    operations = Object.entries<Operation>(document['paths']).flatMap(([path, methods]) =>
      Object.entries<Operation>(methods).map(([method, operation]): [string, Operation] => [
        `${method.toUpperCase()} ${path}`,
        operation,
      ]),
    );
  });

  /** The operations for which something is missing, by name. */
  const lacking = (has: (operation: Operation) => unknown) =>
    operations.filter(([, operation]) => !has(operation)).map(([name]) => name);
  const resolved = (response: Json): Json =>
    response.$ref ? document['components'].responses[response.$ref.split('/').pop()] : response;
  const errorsOf = (operation: Operation) =>
    Object.entries<Json>(operation['responses'])
      .filter(([status]) => Number(status) >= 400)
      .map(([status, response]): [string, Json] => [status, resolved(response)]);

  it('is OpenAPI 3.1, open to everyone', () => {
    expect(document['openapi']).toMatch(/^3\.1\./);
    expect(operations.length).toBeGreaterThan(10);
  });

  it('contains every route of the running service, with its permission, and no other', async () => {
    const routes = (await listRouteRules())
      // The pages are not part of the API.
      .filter(({ path }) => path !== '/{*path}')
      .map(({ method, path, rule }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')} ${rule}`);
    const described = operations.map(([name, operation]) => `${name} ${operation['x-permission']}`);
    expect(described.sort()).toEqual(routes.sort());
  });

  it('is shown by Swagger UI, which keeps no password in the browser', async () => {
    const settings = await service.api.get('/docs/swagger-ui-init.js');
    expect(settings.status).toBe(200);
    expect(settings.body).toMatch(/"persistAuthorization":\s*false/);
  });

  it('summarizes every operation', () => {
    expect(lacking(({ summary }) => summary?.trim())).toEqual([]);
  });

  it('names operations as a generated client would: a verb, then its object, each word once', () => {
    const ids = operations.map(([, { operationId }]) => operationId as string);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(ids.filter((id) => !/^[a-z]+([A-Z][a-z]+)+$/.test(id))).toEqual([]);
    const wordsOf = (id: string) => id.split(/(?=[A-Z])/).map((word) => word.toLowerCase());
    expect(ids.filter((id) => !VERBS.includes(wordsOf(id)[0]!))).toEqual([]);
    const singular = (word: string) => word.replace(/s$/, '');
    expect(ids.filter((id) => new Set(wordsOf(id).map(singular)).size < wordsOf(id).length)).toEqual([]);
    expect(ids).toEqual(expect.arrayContaining(['listAssets', 'createUploadSession', 'pickAssets']));
  });

  it('groups operations by task, each in one group with a sentence about it', () => {
    const tags = document['tags'] as { name: string; description: string }[];
    const names = tags.map(({ name }) => name);
    expect(names.slice(0, 4)).toEqual(['Sign-in', 'Uploads', 'Assets', 'Folders']);
    expect(new Set(names).size).toBe(names.length);
    expect(tags.filter(({ description }) => !/^[A-Z].{20,}\.$/.test(description))).toEqual([]);
    expect(lacking(({ tags: groups }) => groups?.length === 1 && names.includes(groups[0]))).toEqual([]);
    const used = operations.flatMap(([, operation]) => operation['tags'] as string[]);
    expect(names.filter((name) => !used.includes(name))).toEqual([]);
  });

  it('puts routes of the portal below their twins, in the same group', () => {
    const paths = Object.keys(document['paths']);
    const twins = paths.filter((path) => path.startsWith('/portal/'));
    for (const path of twins) {
      const twin = path.replace('/portal/', '/admin/clients/{clientId}/');
      expect(paths[paths.indexOf(path) - 1]).toBe(twin);
      for (const [method, { tags }] of Object.entries<Operation>(document['paths'][path]))
        expect(document['paths'][twin][method].tags).toEqual(tags);
    }
  });

  it('explains sign-in, the steps of an upload, paging and errors, with the address of the service', () => {
    const { description } = document['info'];
    const headings = [...description.matchAll(/<h2>(.*)<\/h2>|^### (.*)$/gm)].map(
      ([, one, other]) => one ?? other,
    );
    expect(headings).toEqual([
      'Sign in',
      'Upload a file in three steps',
      '1. Create a session',
      '2. Send the bytes to the object store',
      '3. Finalize',
      'Page through a list',
      'Handle errors',
    ]);
    expect(description).toContain(`API=${service.url}\n`);
    const [, example] = /```json\n(.*?)```/s.exec(description)!;
    expect(JSON.parse(example!)).toEqual(document['components'].examples['asset_not_found'].value);
  });

  it('names the operations of the portal like those of the admin side', () => {
    const portal = operations.filter(([name]) => name.includes(' /portal/'));
    expect(portal.length).toBeGreaterThan(20);
    for (const [name, { operationId }] of portal) {
      const twin = operations.find(
        ([other]) => other === name.replace(' /portal/', ' /admin/clients/{clientId}/'),
      );
      expect([name, operationId.replace('Portal', '')]).toEqual([name, twin?.[1]['operationId']]);
      expect(operationId).toMatch(/^[a-z]+Portal[A-Z]/);
    }
  });

  it('describes each combination of problems once, named after its codes', () => {
    const references = operations.flatMap(([, { responses }]) =>
      Object.entries<Json>(responses).flatMap(([status, { $ref }]) => (Number(status) >= 400 ? [$ref] : [])),
    );
    const described = Object.entries<Json>(document['components'].responses);
    expect([...new Set(references)].sort()).toEqual(
      described.map(([name]) => `#/components/responses/${name}`).sort(),
    );
    for (const [name, { content }] of described)
      expect(Object.keys(content['application/problem+json'].examples).join('.')).toBe(name);
  });

  it('lists the problems of every operation, with an example of each code', () => {
    const isProblem = ({ content }: Json) => {
      const { schema, examples } = content?.['application/problem+json'] ?? {};
      return (
        schema?.$ref === '#/components/schemas/ProblemDocument' && Object.values(examples ?? {}).length > 0
      );
    };
    expect(lacking((operation) => errorsOf(operation).length > 0)).toEqual([]);
    expect(lacking((operation) => errorsOf(operation).every(([, response]) => isProblem(response)))).toEqual(
      [],
    );
    const { examples } = document['components'];
    const codeless = operations.filter(([, operation]) =>
      errorsOf(operation).some(([status, { content }]) =>
        Object.entries<Json>(content['application/problem+json'].examples).some(
          ([code, { $ref }]) =>
            $ref !== `#/components/examples/${code}` ||
            examples[code].value.code !== code ||
            String(examples[code].value.status) !== status,
        ),
      ),
    );
    expect(codeless).toEqual([]);
  });

  it('lists the problems of guards, validation and the database for every operation they affect', () => {
    const namesOf = (is: (name: string, operation: Operation) => unknown) =>
      operations.filter(([name, operation]) => is(name, operation)).map(([name]) => name);
    const naming = (code: string) =>
      namesOf((_name, operation) =>
        errorsOf(operation).some(([, { content }]) => code in content['application/problem+json'].examples),
      );
    const isClosed = (operation: Operation) => operation['x-permission'] !== 'public';
    const ofClients = namesOf((name, operation) => name.includes('{clientId}') && isClosed(operation));
    expect(ofClients.length).toBeGreaterThan(40);
    // Those that name the client in the body.
    expect(naming('client_not_found').filter((name) => !ofClients.includes(name))).toEqual([
      'POST /admin/picker-tokens',
      'PUT /admin/{provider}-ads/connections/{connectionId}',
      'PUT /agents/seo/{agentId}/runtime',
    ]);
    expect(naming('client_not_found')).toEqual(expect.arrayContaining(ofClients));
    // Refreshing uses a separate cookie; only our own page opens a picker.
    expect(naming('origin_not_allowed')).toEqual(
      namesOf(
        (name, operation) =>
          (isClosed(operation) && !name.startsWith('GET ')) ||
          ['POST /auth/refresh', 'POST /auth/picker'].includes(name),
      ),
    );
    // Monitoring must work while the database does not.
    expect(
      operations.map(([name]) => name).filter((name) => !naming('database_unavailable').includes(name)),
    ).toEqual(['GET /auth/options', 'GET /metrics', 'GET /status', 'GET /healthz']);
    for (const code of ['malformed_json', 'payload_too_large', 'unsupported_body'])
      expect(naming(code)).toEqual(namesOf((_name, operation) => operation['requestBody']));
    expect(naming('validation_failed')).toHaveLength(operations.length);
  });

  it('states who must sign in, and how', () => {
    const closed = lacking((operation) => operation['x-permission'] === 'public');
    expect(lacking((operation) => !operation['security'])).toEqual(closed);
    expect(
      lacking(({ responses, ...operation }) => operation['x-permission'] === 'public' || responses[401]),
    ).toEqual([]);
    expect(document['components'].securitySchemes).toMatchObject({
      password: { type: 'oauth2', flows: { password: { tokenUrl: '/auth/token' } } },
      bearer: { type: 'http', scheme: 'bearer' },
      apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
    });
  });

  it('describes every member of requests and responses', () => {
    const schemas: Record<string, Json> = document['components'].schemas;
    const empty = Object.keys(schemas).filter(
      (name) => !schemas[name].enum && Object.keys(schemas[name].properties ?? {}).length === 0,
    );
    expect(empty).toEqual([]);
    expect(Object.keys(schemas['ProblemDocument'].properties)).toEqual(
      expect.arrayContaining(['type', 'title', 'status', 'detail', 'code', 'requestId', 'errors']),
    );
  });

  describe('is precise enough for a generated client', () => {
    /** Every object in the document that is not an example, with where it is. */
    const objects = (value: Json, path = ''): [path: string, object: Json][] =>
      typeof value !== 'object' || value === null
        ? []
        : [
            ...(Array.isArray(value) ? [] : [[path, value] as [string, Json]]),
            ...Object.entries(value).flatMap(([key, child]) =>
              /^examples?$/.test(key) ? [] : objects(child, `${path}/${key}`),
            ),
          ];
    const schemaOf = (name: string) => document['components'].schemas[name];
    const where = (isFound: (object: Json, path: string) => unknown) =>
      objects({ paths: document['paths'], components: document['components'] })
        .filter(([path, object]) => isFound(object, path))
        .map(([path]) => path);

    it('names every set of values, once', () => {
      const inline = where(
        ({ enum: values }, path) => values?.length > 1 && !/^\/components\/schemas\/\w+$/.test(path),
      );
      // The only value is `fit`.
      expect(inline.filter((path) => !path.endsWith('/fix'))).toEqual([]);
      expect(schemaOf('Surface').enum).toEqual(['website', 'social', 'gbp']);
      expect(schemaOf('ProblemCode').enum).toContain('bulk_failed');
      expect(schemaOf('Permission').enum).toContain('assets:write');
      expect(schemaOf('ProblemDocument').properties.code.$ref).toBe('#/components/schemas/ProblemCode');
      expect(schemaOf('MeDto').properties.permissions.items.$ref).toBe('#/components/schemas/Permission');
      expect(schemaOf('SignedInDto').properties.tokenType.const).toBe('Bearer');
      expect(schemaOf('CreatedUploadDto').properties.method.const).toBe('PUT');
    });

    it('types every parameter, and only marks required ones as required', () => {
      expect(where((object) => 'in' in object && 'name' in object && !typeOf(object.schema))).toEqual(
        // The schemes of authentication have names too.
        where((object, path) => path.startsWith('/components/securitySchemes/') && 'in' in object),
      );
      expect(where(({ in: place, required }) => place === 'query' && required)).toEqual([
        expect.stringContaining('/agents/clients/{clientId}/assets/{assetRef}/content'),
      ]);
    });
    const typeOf = (schema: Json) => schema?.type ?? schema?.$ref ?? schema?.anyOf;

    it('uses integers except for fractions, and UUIDs for ids', () => {
      expect(where(({ type }) => type === 'number').map((path) => path.split('/')[3])).toEqual(
        expect.arrayContaining(['CandidateDto', 'FitnessReasonDto', 'FitnessWarningDto', 'FocalPointDto']),
      );
      expect(
        where(
          ({ type }, path) =>
            type === 'number' && !/(Candidate|Fitness(Reason|Warning)|FocalPoint)Dto/.test(path),
        ),
      ).toEqual([]);
      for (const [name, id] of [
        ['AssetDto', 'assetId'],
        ['FolderDto', 'parentId'],
        ['DeliveryDto', 'targetId'],
      ])
        expect(schemaOf(name!).properties[id!].format).toBe('uuid');
    });

    it('describes each success, including partial and unchanged files, and repeats', () => {
      const successes = (method: string, path: string) =>
        Object.keys(document['paths'][path][method].responses).filter((status) => Number(status) < 400);
      for (const side of ['/admin/clients/{clientId}', '/portal']) {
        expect(successes('get', `${side}/assets/{assetId}/preview`)).toEqual(['200', '206', '304']);
        expect(successes('get', `${side}/assets/{assetId}/download`)).toEqual(['200', '206', '304']);
        expect(successes('post', `${side}/assets/upload-session/finalize`)).toEqual(['200', '201']);
        expect(successes('post', `${side}/assets/folders`)).toEqual(['200', '201']);
      }
      const { responses } = document['paths']['/portal/assets/{assetId}'].get;
      expect(responses[200].headers).toHaveProperty('ETag');
      expect(resolved(responses[503]).headers).toHaveProperty('Retry-After');
    });

    it('has the further members of problems, and the cookie of our own pages', () => {
      expect(Object.keys(schemaOf('ProblemDocument').properties)).toEqual(
        expect.arrayContaining(['permission', 'results', 'version', 'usages', 'reason', 'missing']),
      );
      expect(document['components'].securitySchemes.cookie).toMatchObject({ type: 'apiKey', in: 'cookie' });
      const byCookie = lacking(({ security }) => !security?.some((scheme: Json) => 'cookie' in scheme));
      expect(byCookie).toContain('GET /portal/assets');
      expect(byCookie).not.toContain('POST /agents/mcp');
    });
  });

  it('describes the parameters of every list', () => {
    const { parameters } = document['paths']['/admin/clients'].get;
    expect(parameters.map(({ name }: { name: string }) => name).sort()).toEqual(['cursor', 'limit']);
    const withHole = operations.filter(([name, operation]) => {
      const inPath = [...name.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter);
      const described = (operation['parameters'] ?? []).filter((parameter: Json) => parameter.in === 'path');
      return inPath.some((parameter) => !described.some(({ name: known }: Json) => known === parameter));
    });
    expect(withHole.map(([name]) => name)).toEqual([]);
  });

  it('has a page to read and try it, which works under its own security policy', async () => {
    const page = await service.api.get('/docs');
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    expect(page.body).toContain('swagger-ui');
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
    // Inline scripts would not run under that policy, so all scripts must be our own files.
    const html = page.body as string;
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)[^>]*>[^<]*\S/);
    const assets = [...html.matchAll(/<(?:script|link)[^>]+(?:src|href)="([^"]+)"/g)].map(
      ([, path]) => path!,
    );
    expect(assets.length).toBeGreaterThan(3);
    for (const path of assets) {
      const asset = await fetch(new URL(path, `${service.url}/docs`));
      const type = asset.headers.get('content-type');
      expect({ path, status: asset.status, type }).toEqual({
        path,
        status: 200,
        type: expect.stringMatching(
          path.endsWith('.js') ? /javascript/ : path.endsWith('.css') ? /css/ : /image/,
        ),
      });
      await asset.body?.cancel();
    }
  });
});
