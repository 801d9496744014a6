import { listRouteRules } from '../support/route-rules.js';
import { type Service, startService } from '../support/service.js';

/** JSON as it comes: what it should look like is what these tests are about. */

type Json = any;
type Operation = Record<string, Json>;

describe('The description of the API', () => {
  let service: Service;
  let document: Record<string, Json>;
  let operations: [name: string, operation: Operation][];
  beforeAll(async () => {
    service = await startService();
    document = (await service.api.get('/openapi.json')).body;
    operations = Object.entries<Operation>(document['paths']).flatMap(([path, methods]) =>
      Object.entries<Operation>(methods).map(([method, operation]): [string, Operation] => [
        `${method.toUpperCase()} ${path}`,
        operation,
      ]),
    );
  });
  afterAll(() => service.stop());

  /** The operations for which something is missing, by name. */
  const lacking = (has: (operation: Operation) => unknown) =>
    operations.filter(([, operation]) => !has(operation)).map(([name]) => name);
  const errorsOf = (operation: Operation) =>
    Object.entries<Json>(operation['responses']).filter(([status]) => Number(status) >= 400);

  it('is OpenAPI 3.1, open to everyone', () => {
    expect(document['openapi']).toMatch(/^3\.1\./);
    expect(operations.length).toBeGreaterThan(10);
  });

  it('holds every route of the running service, with its permission, and no other', async () => {
    const routes = (await listRouteRules())
      // The pages are no part of the API.
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
    const ids = operations.map(([, { operationId }]) => operationId as string);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('names what may go wrong at every operation, with an example of each code', () => {
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
    const codeless = operations.filter(([, operation]) =>
      errorsOf(operation).some(([status, { content }]) =>
        Object.entries<Json>(content['application/problem+json'].examples).some(
          ([code, { value }]) => value.code !== code || String(value.status) !== status,
        ),
      ),
    );
    expect(codeless).toEqual([]);
  });

  it('tells who must sign in, and how', () => {
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

  it('describes every member of what is sent and answered', () => {
    const schemas: Record<string, Json> = document['components'].schemas;
    const empty = Object.keys(schemas).filter(
      (name) => Object.keys(schemas[name].properties ?? {}).length === 0,
    );
    expect(empty).toEqual([]);
    expect(Object.keys(schemas['ProblemDocument'].properties)).toEqual(
      expect.arrayContaining(['type', 'title', 'status', 'detail', 'code', 'requestId', 'errors']),
    );
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

  it('has a page to read and try it, which its own security policy lets work', async () => {
    const page = await service.api.get('/docs');
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    expect(page.body).toContain('swagger-ui');
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
    // Under that policy a script inside the page would not run: all of them must be files of ours.
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
