import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Api } from '../support/api/api.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/services/service.js';
import { drain, SITE_USER, type WordPressSite } from '../support/wordpress/wordpress-site.js';
import { WordPressMediaLibrary } from '../support/wordpress/wordpress-media.js';

const ROOT = join(__dirname, '../..');
const TOOLS = join(__dirname, '../support/tools');
const START_MS = 120_000;
/** Each line is pasted into a shell of its own: the examples of publishing.md continue those of the two pages before it. */
const PAGES = [
  ['README.md'],
  ['docs/uploading.md'],
  ['docs/agents.md', 'docs/targets.md', 'docs/publishing.md'],
  ['docs/embedding.md'],
];
const DEMO_OWNER = { email: 'owner@example.com', password: 'demo-demo-demo' };

jest.setTimeout(2 * START_MS);

interface LoggedRequest {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly body: string;
}

/** The fenced blocks of a language in a Markdown text. */
const snippetsIn = (markdown: string, language: string) =>
  [...markdown.matchAll(/^```(\w+)\n(.*?)^```/gms)].flatMap(([, of, text]) =>
    of === language ? [text!] : [],
  );

const document = (name: string) => readFileSync(join(ROOT, name), 'utf8');

/** The embedded setup as `npm start` runs it, with the sites of the examples on this computer. */
describe('The examples', () => {
  const directory = mkdtempSync(join(tmpdir(), 'asset-library-readme-'));
  let service: ChildProcess;
  let port: number;
  let site: WordPressSite;
  let endpoint: Server;

  beforeAll(async () => {
    chmodSync(directory, 0o755);
    for (const tool of ['curl', 'jq'])
      writeFileSync(join(directory, tool), `#!/bin/sh\nexec node '${join(TOOLS, `${tool}.mjs`)}' "$@"\n`, {
        mode: 0o755,
      });
    ({ site } = await WordPressMediaLibrary.start());
    endpoint = createServer(
      (request, response) => void drain(request).then(() => response.writeHead(201).end()),
    );
    endpoint.listen(0, '127.0.0.1');
    await once(endpoint, 'listening');
    port = await freePort();
    service = spawn(process.execPath, ['dist/src/main.js'], {
      cwd: ROOT,
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'] ?? directory,
        IGNORE_ENV_FILE: 'true',
        DATA_DIR: join(directory, 'data'),
        PORT: String(port),
        EMBEDDED_STORE_PORT: '0',
        TARGETS_ALLOW_PRIVATE: 'true',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [service.stdout!, service.stderr!])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await eventually(() => expect(output).toContain('Client Asset Library is running'), START_MS);
  }, START_MS);
  afterAll(async () => {
    service?.kill('SIGTERM');
    if (service?.exitCode === null) await once(service, 'exit');
    endpoint?.close();
    await site?.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  it('in the introduction of the API work when they are pasted in order', async () => {
    const { body } = await new Api(`http://127.0.0.1:${port}`).get('/openapi.json');
    const script = snippetsIn(body.info.description as string, 'sh')
      .join('\n')
      .replace('you@example.com', DEMO_OWNER.email)
      .replace('your password', DEMO_OWNER.password)
      .replace('photo.jpg', 'src/embedded/samples/storefront.jpg')
      .replace(/limit=\d+/g, 'limit=1');
    const env = {
      ...process.env,
      PATH: `${directory}:${process.env['PATH']}`,
      CURL_LOG: join(directory, 'introduction'),
    };
    await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], { cwd: ROOT, env });
    const requests = readFileSync(env.CURL_LOG, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as LoggedRequest);
    expect(requests.map(({ method, status }) => `${method} ${status}`)).toEqual([
      'POST 200',
      'POST 201',
      'PUT 200',
      'POST 201',
      'GET 200',
      'GET 200',
    ]);
    const [first, second] = requests.slice(-2).map(({ body: page }) => JSON.parse(page).assets);
    expect(second[0].assetId).not.toBe(first[0].assetId);
  });

  it.each(PAGES.map((pages) => [pages.join(', '), pages] as const))(
    'in %s work when they are pasted in order',
    async (_, pages) => {
      const { port: endpointPort } = endpoint.address() as AddressInfo;
      const pasted = snippetsIn(pages.map(document).join('\n'), 'sh')
        .filter((snippet) => /^(API=|(\w+=\$\()?(curl|admin|api|agent) )/m.test(snippet))
        .join('\n');
      const script = pasted
        .replaceAll('http://127.0.0.1:3000', `http://127.0.0.1:${port}`)
        .replaceAll('https://files.bakery.example', `http://127.0.0.1:${endpointPort}`)
        .replaceAll('https://bakery.example', site.origin)
        .replace('abcd efgh ijkl mnop qrst uvwx', SITE_USER.applicationPassword)
        .replaceAll(' -o /tmp/', ` -o ${directory}/`);
      const log = join(directory, 'requests');
      rmSync(log, { force: true });
      const env = { ...process.env, PATH: `${directory}:${process.env['PATH']}`, CURL_LOG: log };
      // From the root of the repository, as in a fresh clone.
      const bash = ['-euo', 'pipefail', '-c', script];
      const { stdout } = await promisify(execFile)('bash', bash, { cwd: ROOT, env });

      const requests = readFileSync(log, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as LoggedRequest);
      expect(requests.length).toBe(pasted.match(/\b(?<!\(\) \{ )(curl|admin|api|agent) /g)!.length);
      expect(requests.filter(({ status }) => status >= 400)).toEqual([]);
      expect(stdout).not.toMatch(/"ok": false|^null$/m);
      if (/assets\/pick/.test(pasted)) expect(stdout).toMatch(/"score": \d/);
    },
  );

  it('have delivered an asset to the targets that they created', async () => {
    const owner = await new Api(`http://127.0.0.1:${port}`).signIn(DEMO_OWNER);
    await eventually(async () => {
      const { body } = await owner.get('/admin/clients/demo/deliveries');
      expect(body.deliveries).toMatchObject([{ status: 'delivered' }]);
    }, 30_000);
    const { body } = await owner.get('/admin/clients/demo/targets');
    expect(
      body.targets.map(({ kind, state }: { kind: string; state: string }) => [kind, state]).sort(),
    ).toEqual([
      ['http', 'connected'],
      ['wordpress', 'connected'],
    ]);
  });
});
