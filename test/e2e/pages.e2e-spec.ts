import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { expectProblem } from '../support/api/problems.js';
import { type Service, startService } from '../support/services/service.js';

const INDEX =
  '<!doctype html><title>Library</title><script type="module" src="/static/app-1a2b.js"></script>';
const SCRIPT = 'globalThis.page = true;'.repeat(100);
const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

describe('The pages', () => {
  let directory: string;
  let service: Service;
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'pages-'));
    mkdirSync(join(directory, 'static'));
    writeFileSync(join(directory, 'index.html'), INDEX);
    writeFileSync(join(directory, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
    writeFileSync(join(directory, 'static', 'app-1a2b.js'), SCRIPT);
    writeFileSync(join(directory, 'static', 'app-1a2b.js.br'), brotliCompressSync(SCRIPT));
    service = await startService({
      PAGES_DIR: directory,
      EMBED_ORIGINS: 'https://panel.example.com,https://other.example.com:8443',
      STORAGE_PUBLIC_ENDPOINT: 'https://files.example.com:9000',
    });
  });
  afterAll(async () => {
    await service.stop();
    rmSync(directory, { recursive: true });
  });

  const policyOf = (headers: Headers) =>
    new Map(
      (headers.get('content-security-policy') ?? '').split('; ').map((directive) => {
        const [name, ...values] = directive.split(' ');
        return [name!, values.join(' ')];
      }),
    );

  it.each([
    '/',
    '/sign-in',
    '/clients/demo/assets?folder=1',
    '/library/trash',
    '/static-looking',
    '/embed/picker',
  ])('are served at %s, always revalidated', async (path) => {
    const page = await service.api.get(path, HTML);
    expect({ status: page.status, body: page.body }).toEqual({ status: 200, body: INDEX });
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('cache-control')).toBe('no-cache');
    const known = { ...HTML, 'if-none-match': page.headers.get('etag')! };
    expect((await service.api.get(path, known)).status).toBe(304);
    const head = await service.api.request('HEAD', path, { headers: HTML });
    expect({ status: head.status, length: head.headers.get('content-length') }).toEqual({
      status: 200,
      length: String(INDEX.length),
    });
  });

  it("have a policy that allows nothing inline and only our own origin and the store's", async () => {
    const { headers } = await service.api.get('/', HTML);
    const policy = policyOf(headers);
    expect(Object.fromEntries(policy)).toMatchObject({
      'default-src': "'none'",
      'script-src': "'self'",
      'style-src': "'self'",
      'connect-src': "'self' https://files.example.com:9000",
      'frame-ancestors': "'none'",
      'require-trusted-types-for': "'script'",
    });
    expect(headers.get('content-security-policy')).not.toContain('unsafe');
    expect(headers.get('x-frame-options')).toBe('DENY');
  });

  it('can be embedded by the configured origins where the picker is, and nowhere else', async () => {
    const picker = await service.api.get('/embed/picker?surface=social&multiple=true', HTML);
    expect(policyOf(picker.headers).get('frame-ancestors')).toBe(
      'https://panel.example.com https://other.example.com:8443',
    );
    expect(picker.headers.get('x-frame-options')).toBeNull();
    for (const path of ['/embed/other', '/embed/picker/x', '/clients'])
      expect(policyOf((await service.api.get(path, HTML)).headers).get('frame-ancestors')).toBe("'none'");
  });

  it('have files under names that change with their content, cached for a year and sent compressed', async () => {
    const plain = await service.api.get('/static/app-1a2b.js', { 'accept-encoding': 'gzip' });
    expect({ status: plain.status, body: plain.body }).toEqual({ status: 200, body: SCRIPT });
    expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(plain.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(plain.headers.get('x-content-type-options')).toBe('nosniff');
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(plain.headers.get('vary')).toMatch(/accept-encoding/i);
    const small = await fetch(`${service.url}/static/app-1a2b.js`, { headers: { 'accept-encoding': 'br' } });
    expect(small.headers.get('content-encoding')).toBe('br');
    expect(Number(small.headers.get('content-length'))).toBeLessThan(SCRIPT.length / 10);
    // fetch has decompressed it.
    expect(await small.text()).toBe(SCRIPT);
    const icon = await service.api.get('/favicon.svg');
    expect(icon.headers.get('content-type')).toMatch(/^image\/svg\+xml/);
    expect(icon.headers.get('cache-control')).toBe('no-cache');
  });

  it.each([
    '/admin',
    '/admin/nowhere',
    '/ADMIN/nowhere',
    '//admin/clients',
    '/%61dmin/nowhere',
    '/portal/library',
    '/agents/x',
    '/auth/login',
    '/docs/nowhere',
    '/static/nowhere.js',
    '/lp-api',
  ])('leave %s to the API, whatever the caller accepts', async (path) => {
    const { status, headers } = await fetch(service.url + path, { headers: HTML });
    expect([401, 404]).toContain(status);
    expect(headers.get('content-type')).toMatch(/^application\/problem\+json/);
  });

  it('are not sent to programs that request a wrong address, nor in response to changes', async () => {
    for (const accept of ['*/*', 'application/json'])
      expectProblem(await service.api.get('/nowhere', { accept }), 404, 'route_not_found');
    for (const method of ['POST', 'PUT', 'DELETE'])
      expectProblem(await service.api.request(method, '/clients', { headers: HTML }), 404, 'route_not_found');
    expectProblem(
      await service.api.request('POST', '/static/app-1a2b.js', { headers: HTML }),
      404,
      'route_not_found',
    );
  });

  it('do not replace the page and policy of Swagger UI', async () => {
    const docs = await service.api.get('/docs', HTML);
    expect(docs.body).toContain('swagger-ui');
    expect(docs.headers.get('content-security-policy')).toContain("style-src 'self' 'unsafe-inline'");
  });

  it('can be missing: the API still works, and the response explains how to build them', async () => {
    const bare = await service.another({ PAGES_DIR: join(directory, 'nowhere'), EMBED_ORIGINS: undefined });
    const response = await bare.api.get('/', HTML);
    expectProblem(response, 404, 'route_not_found');
    expect(response.body.detail).toMatch(/npm start/);
    expect((await bare.api.get('/healthz')).status).toBe(200);
    await bare.stop();
  });

  it('cannot be embedded if no origin is configured; a bucket in the host name is part of the policy', async () => {
    const other = await service.another({ EMBED_ORIGINS: undefined, STORAGE_FORCE_PATH_STYLE: 'false' });
    const policy = policyOf((await other.api.get('/embed/picker', HTML)).headers);
    expect(policy.get('frame-ancestors')).toBe("'none'");
    expect(policy.get('connect-src')).toBe(`'self' https://${other.bucket}.files.example.com:9000`);
    await other.stop();
  });
});
