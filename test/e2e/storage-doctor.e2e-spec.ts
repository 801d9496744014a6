import { ListObjectsV2Command, PutBucketCorsCommand } from '@aws-sdk/client-s3';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Api } from '../support/api/api.js';
import { cli } from '../support/services/cli.js';
import type { Overrides } from '../support/services/environment.js';
import { FaultProxy, type StoreFault, type StoreMatch } from '../support/faults/fault-proxy.js';
import { newKey, newPerson } from '../support/api/people.js';
import { expectProblem } from '../support/api/problems.js';
import { RegionalStore } from '../support/store/regional-store.js';
import {
  freePort,
  launchProcess,
  OWNER,
  type Service,
  startService,
  storeClient,
} from '../support/services/service.js';
import { FILES, Uploader } from '../support/api/uploads.js';

const ORIGIN = 'https://portal.example';

interface Step {
  readonly step: string;
  readonly ok: boolean;
  readonly skipped?: boolean;
  readonly cause?: string;
  readonly fix?: string;
}

const STEPS = [
  ...['settings', 'write', 'head', 'read', 'range', 'copy', 'delete'],
  ...['multipart-create', 'multipart-part', 'multipart-parts', 'multipart-complete', 'bulk-delete'],
  ...['multipart-abort', 'multipart-list', 'list', 'bucket', 'installation', 'cross-origin'],
];

describe('The storage doctor', () => {
  let service: Service;
  let owner: Api;
  const client = storeClient();
  beforeAll(async () => {
    service = await startService();
    owner = await service.api.signIn(OWNER);
  });
  afterAll(async () => {
    client.destroy();
    await service.stop();
  });

  const examine = (api: Api, body: object = {}) => api.post('/admin/diagnostics/storage', body);
  const keys = async () =>
    ((await client.send(new ListObjectsV2Command({ Bucket: service.bucket }))).Contents ?? []).map(
      ({ Key }) => Key!,
    );
  const allow = (origin: string, expose: string[]) =>
    client.send(
      new PutBucketCorsCommand({
        Bucket: service.bucket,
        CORSConfiguration: {
          CORSRules: [
            {
              AllowedOrigins: [origin],
              AllowedMethods: ['PUT'],
              AllowedHeaders: ['*'],
              ExposeHeaders: expose,
            },
          ],
        },
      }),
    );

  const namesOf = (steps: Step[], condition: (step: Step) => boolean) =>
    steps.filter(condition).map(({ step }) => step);
  const failedIn = (steps: Step[]) => namesOf(steps, ({ ok, skipped }) => !ok && !skipped);
  const skippedIn = (steps: Step[]) => namesOf(steps, ({ skipped }) => skipped === true);

  /** The first problem; later steps fail for the same reason. */
  const firstFinding = (steps: Step[]) => steps.find(({ ok }) => !ok);

  /** The same, by the route of a service and by the command line with its settings. */
  const diagnose = async (sick: Service, origin?: string) => {
    const [{ status, body }, spoken] = await Promise.all([
      examine(owner.at(sick.url), origin ? { origin } : {}),
      cli(sick.env, 'doctor', ...(origin ? ['--origin', origin] : [])),
    ]);
    expect(status).toBe(200);
    const finding = firstFinding(body.steps as Step[]);
    expect({ ok: body.ok, code: spoken.code }).toEqual(
      finding ? { ok: false, code: 1 } : { ok: true, code: 0 },
    );
    for (const words of [finding?.cause, finding?.fix]) if (words) expect(spoken.output).toContain(words);
    return { finding, steps: body.steps as Step[], output: spoken.output };
  };

  const whileRunning = async <T>(sick: Service, work: (sick: Service) => Promise<T>): Promise<T> => {
    try {
      return await work(sick);
    } finally {
      await sick.stop();
    }
  };
  /** Another instance of the service, with some settings that are wrong. */
  const withSettings = async <T>(overrides: Overrides, work: (sick: Service) => Promise<T>): Promise<T> =>
    whileRunning(await service.another(overrides), work);

  it('finds nothing wrong with a healthy store, and leaves nothing behind', async () => {
    const before = await keys();
    await allow(ORIGIN, ['ETag']);
    const { finding, steps } = await diagnose(service, ORIGIN);
    expect(finding).toBeUndefined();
    expect(steps).toEqual(STEPS.map((step) => ({ step, ok: true })));
    expect(await keys()).toEqual(before);
  });

  it('names the missing settings, as the rejected session does', async () => {
    const missing = { STORAGE_SECRET_ACCESS_KEY: undefined, STORAGE_BUCKET_NAME: '' };
    await withSettings(missing, async (sick) => {
      const { finding, steps } = await diagnose(sick, ORIGIN);
      expect(skippedIn(steps)).toEqual(STEPS.slice(1));
      expect(finding).toEqual({
        step: 'settings',
        ok: false,
        cause:
          'Upload session creation fails: storage settings are missing (STORAGE_SECRET_ACCESS_KEY, STORAGE_BUCKET_NAME), ' +
          'or the API server was not restarted after they were set.',
        fix: 'Set STORAGE_SECRET_ACCESS_KEY, STORAGE_BUCKET_NAME and restart the API server.',
      });

      const api = await sick.api.signIn(OWNER);
      await api.post('/admin/clients', { clientId: 'unset', name: 'Unset' });
      const refused = await Uploader.admin(api, 'unset').request(FILES.jpeg);
      expectProblem(refused, 503, 'storage_not_configured');
      expect(refused.body.detail).toMatch(
        /STORAGE_SECRET_ACCESS_KEY, STORAGE_BUCKET_NAME.*must be restarted/,
      );
    });
  });

  describe.each([
    ['key', { STORAGE_ACCESS_KEY_ID: 'not-the-key' }, 'InvalidAccessKeyId'],
    ['secret', { STORAGE_SECRET_ACCESS_KEY: 'not-the-secret-at-all' }, 'SignatureDoesNotMatch'],
  ])('with a wrong %s', (what, wrong, code) => {
    let sick: Service;
    beforeAll(async () => {
      sick = await service.another(wrong);
    });
    afterAll(() => sick.stop());

    it('recognizes it: the browser gets a 403, and everything else is skipped', async () => {
      const { finding, steps, output } = await diagnose(sick, ORIGIN);
      expect(steps.filter(({ skipped }) => skipped)).toEqual(
        STEPS.slice(2).map((step) => ({ step, ok: false, skipped: true })),
      );
      expect(failedIn(steps)).toEqual(['write']);
      expect(output).toMatch(/^- delete \(skipped\)$/m);
      expect(output).not.toContain('undefined');
      expect(finding).toEqual({
        step: 'write',
        ok: false,
        cause: `Browser PUT to uploadUrl returns 403: storage credentials or bucket name are wrong (${code}).`,
        fix: 'Correct STORAGE_ACCESS_KEY_ID, STORAGE_SECRET_ACCESS_KEY and STORAGE_BUCKET_NAME, and restart the API server.',
      });
    });

    it('a session already reports it, before any bytes are sent', async () => {
      const api = await sick.api.signIn(OWNER);
      await api.post('/admin/clients', { clientId: `wrong-${what}`, name: 'Wrong' });
      const refused = await Uploader.admin(api, `wrong-${what}`).request(FILES.jpeg);
      expectProblem(refused, 503, 'storage_forbidden');
      expect(refused.body.detail).toContain('Storage credentials or bucket name are wrong');
    });
  });

  it('recognizes a wrong bucket', async () => {
    const { finding } = await withSettings({ STORAGE_BUCKET_NAME: 'not-the-bucket' }, diagnose);
    expect(finding).toMatchObject({
      step: 'write',
      cause: expect.stringContaining(
        'storage credentials or bucket name are wrong (the bucket does not exist)',
      ) as string,
      fix: expect.stringContaining('STORAGE_BUCKET_NAME') as string,
    });
  });

  it('recognizes a missing origin or a hidden ETag, and explains how to fix it', async () => {
    await allow('https://somewhere-else.example', ['ETag']);
    const before = await keys();
    const missing = await diagnose(service, ORIGIN);
    expect(missing.finding).toEqual({
      step: 'cross-origin',
      ok: false,
      cause:
        "Browser PUT fails with a cross-origin error: the frontend origin is missing from the bucket's cross-origin policy.",
      fix: `Run: npm run cli -- storage:cors --origin ${ORIGIN}`,
    });

    await allow(ORIGIN, []);
    const hidden = await diagnose(service, ORIGIN);
    expect(hidden.finding).toMatchObject({
      step: 'cross-origin',
      cause: 'The bucket does not expose the ETag header, which browsers need for multipart uploads.',
    });

    expect((await cli(service.env, 'storage:cors', '--origin', ORIGIN)).code).toBe(0);
    expect((await diagnose(service, ORIGIN)).finding).toBeUndefined();
    expect(await keys()).toEqual(before);
  });

  it('recognizes a store that cannot be reached', async () => {
    const nobody = `http://127.0.0.1:${await freePort()}`;
    const { finding } = await withSettings({ STORAGE_ENDPOINT: nobody }, diagnose);
    expect(finding).toMatchObject({
      step: 'write',
      cause: 'The object store cannot be reached.',
      fix: expect.stringContaining('STORAGE_ENDPOINT') as string,
    });
  });

  it('distinguishes an unreachable public address from an unreachable store', async () => {
    const nobody = `http://127.0.0.1:${await freePort()}`;
    const { finding } = await withSettings({ STORAGE_PUBLIC_ENDPOINT: nobody }, diagnose);
    expect(finding).toMatchObject({
      step: 'write',
      cause: 'The object store cannot be reached at its public address, which browsers receive in uploadUrl.',
      fix: expect.stringContaining('STORAGE_PUBLIC_ENDPOINT') as string,
    });
  });

  it('recognizes a wrong region, and names the right one', async () => {
    const store = await RegionalStore.start('eu-central-1');
    const wrong = { STORAGE_ENDPOINT: store.endpoint, STORAGE_REGION: 'us-east-1' };
    const { finding } = await withSettings(wrong, diagnose);
    expect(finding).toEqual({
      step: 'write',
      ok: false,
      cause: 'The region is wrong.',
      fix: 'Set STORAGE_REGION to eu-central-1 and restart the API server.',
    });
    await store.close();
  });

  it('recognizes a wrong clock', async () => {
    const clock = pathToFileURL(join(__dirname, '../support/services/clock-behind.mjs')).href;
    const wrong = { NODE_OPTIONS: `--import ${clock}`, PORT: undefined };
    const { finding } = await whileRunning(await launchProcess({ ...service.env, ...wrong }), diagnose);
    expect(finding).toEqual({
      step: 'write',
      ok: false,
      cause: "The server's clock and the store's clock differ too much.",
      fix: 'Synchronize the clock of the server (NTP).',
    });
  });

  describe('for a store that fails after the write', () => {
    let store: FaultProxy;
    let proxied: Service;
    beforeAll(async () => {
      store = await FaultProxy.to(service.env['STORAGE_ENDPOINT']!);
      const STORAGE_TIMEOUT_SECONDS = '2';
      proxied = await service.another({
        STORAGE_ENDPOINT: store.endpoint,
        STORAGE_TIMEOUT_SECONDS,
      });
    });
    afterAll(async () => {
      await proxied.stop();
      await store.close();
    });

    const examineWithProxy = async () => (await examine(owner.at(proxied.url))).body;

    const diagnoseWith = async (match: StoreMatch, fault: StoreFault) => {
      store.on(match, fault);
      const { finding } = await diagnose(proxied);
      store.heal();
      return finding;
    };

    it.each([
      ['read', { method: 'GET', key: /^doctor/ }],
      ['copy', { method: 'PUT', key: /-copy$/ }],
      ['delete', { method: 'DELETE', key: /^doctor/ }],
    ])('reports that the key may not %s', async (action, match) => {
      expect(await diagnoseWith(match, 'deny')).toEqual({
        step: action,
        ok: false,
        cause: `The access key is not allowed to ${action} the object it has written (AccessDenied).`,
        fix: `Allow the access key to ${action} objects in the bucket. It must be able to read, write, copy and delete them.`,
      });
    });

    it.each([
      ['list', 's3:ListBucket', { method: 'GET', key: /^$/, query: /list-type=2/ }],
      ['bucket', 's3:ListBucket', { method: 'HEAD', key: /^$/ }],
      ['head', 's3:GetObject', { method: 'HEAD', key: /^doctor/ }],
      ['multipart-create', 's3:PutObject', { method: 'POST', key: /^doctor/, query: /^uploads/ }],
      ['multipart-part', 's3:PutObject', { method: 'PUT', key: /^doctor/, query: /partNumber/ }],
      [
        'multipart-parts',
        's3:ListMultipartUploadParts',
        { method: 'GET', key: /^doctor/, query: /uploadId/ },
      ],
      ['multipart-complete', 's3:PutObject', { method: 'POST', key: /^doctor/, query: /uploadId/ }],
      ['multipart-abort', 's3:AbortMultipartUpload', { method: 'DELETE', query: /uploadId/ }],
      ['multipart-list', 's3:ListBucketMultipartUploads', { method: 'GET', key: /^$/, query: /uploads/ }],
      ['bulk-delete', 's3:DeleteObject', { method: 'POST', key: /^$/, query: /delete/ }],
    ])('names the missing permission for %s', async (step, permission, match: StoreMatch) => {
      store.on(match, 'deny');
      const sick = await examineWithProxy();
      store.heal();
      expect(sick.ok).toBe(false);
      const failed = (sick.steps as Step[]).filter(({ ok, skipped }) => !ok && !skipped);
      expect(failed).toMatchObject([{ step, fix: `Grant ${permission} to the access key.` }]);
    });

    it.each<[string, StoreMatch, StoreFault, failed: string[], skipped: string[]]>([
      ['write', { method: 'PUT', key: /^doctor/ }, 'deny', ['write'], STEPS.slice(2, -1)],
      [
        'read of any object',
        { method: 'GET', key: /./, query: /^x-id=GetObject/ },
        'deny',
        ['read'],
        ['range', 'installation'],
      ],
      [
        'start of a multipart upload',
        { method: 'POST', key: /^doctor/, query: /^uploads/ },
        'deny',
        ['multipart-create'],
        ['multipart-part', 'multipart-parts', 'multipart-complete', 'bulk-delete', 'multipart-abort'],
      ],
      [
        'part',
        { method: 'PUT', key: /^doctor/, query: /partNumber/ },
        'deny',
        ['multipart-part'],
        ['multipart-parts', 'multipart-complete', 'bulk-delete'],
      ],
      [
        'read that never ends',
        { method: 'GET', key: /^doctor/ },
        'stallMidway',
        ['read'],
        ['range', 'copy', ...STEPS.slice(7, -1)],
      ],
    ])('skips the steps that need a failed %s', async (_what, match, fault, failed, skipped) => {
      store.on(match, fault);
      const { steps } = await examineWithProxy();
      store.heal();
      expect(failedIn(steps)).toEqual(failed);
      expect(skippedIn(steps)).toEqual(skipped);
      expect(namesOf(steps, () => true)).toEqual(STEPS.slice(0, -1));
    });

    it('deletes what a failed write may have stored', async () => {
      const before = await keys();
      store.on({ method: 'PUT', key: /^doctor/ }, 'cutAfter');
      const { steps } = await examineWithProxy();
      store.heal();
      expect(failedIn(steps)).toEqual(['write']);
      expect(await keys()).toEqual(before);
    });

    it('does not wait forever for what was written', async () => {
      const finding = await diagnoseWith({ method: 'GET', key: /^doctor/ }, 'stallMidway');
      expect(finding).toMatchObject({ step: 'read', cause: 'The object store cannot be reached.' });
    });
  });

  it('is for operators, and only accepts origins', async () => {
    const operator = (await newPerson(owner, { role: 'operator' })).api;
    expect((await examine(operator)).body).toMatchObject({ ok: true });
    const viewer = (await newPerson(owner, { role: 'viewer' })).api;
    const agent = service.api.as((await newKey(owner, { role: 'agent', clientIds: null })).key);
    for (const api of [viewer, agent]) expectProblem(await examine(api), 403, 'permission_denied');
    expectProblem(await examine(service.api), 401, 'unauthenticated');
    for (const origin of ['portal.example', 'https://portal.example/', 'javascript:alert(1)', '*', 7])
      expectProblem(await examine(owner, { origin }), 400, 'validation_failed');
  });
});
