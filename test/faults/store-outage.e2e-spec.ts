import type { ApiResponse } from '../support/api/api.js';
import { sampleCases } from '../support/jest/sample-cases.js';
import type { StoreFault } from '../support/faults/fault-proxy.js';
import { FaultyService, STORE_STEPS } from '../support/faults/faulty-service.js';
import { expectProblem } from '../support/api/problems.js';
import { FILES, uniqueJpeg } from '../support/api/uploads.js';

const TIMEOUT_SECONDS = 1;

describe('When the store fails in the middle of a finalize', () => {
  let faulty: FaultyService;
  beforeAll(async () => {
    faulty = await FaultyService.start({ STORAGE_TIMEOUT_SECONDS: String(TIMEOUT_SECONDS) });
  });
  afterEach(() => faulty.heal());
  afterAll(() => faulty.close());

  const expectUnavailable = (response: ApiResponse) => {
    expectProblem(response, 503, 'storage_unavailable');
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(JSON.stringify(response.body)).not.toMatch(/As told|InternalError|ECONN|127\.0\.0\.1/);
  };

  /** Each timeout may occur once, and the SDK retries after a failure. */
  const timed = async (work: () => Promise<ApiResponse>) => {
    const startedAt = Date.now();
    const response = await work();
    expect(Date.now() - startedAt).toBeLessThan(TIMEOUT_SECONDS * 1_000 + 7_000);
    return response;
  };

  const faults: Extract<StoreFault, string>[] = ['fail', 'hang', 'cut', 'cutAfter'];
  const cases = Object.keys(STORE_STEPS).flatMap((step) => faults.map((fault) => ({ step, fault })));
  const midway = (['cutMidway', 'stallMidway'] as const).map((fault) => ({
    step: 'reading the copy',
    fault,
  }));

  it.each(sampleCases([...cases, ...midway], 10))(
    '$step ($fault): 503 in time, then it works again',
    async ({ step, fault }) => {
      const { uploader, store } = faulty;
      const session = await uploader.stage(uniqueJpeg());
      store.on(STORE_STEPS[step as keyof typeof STORE_STEPS], fault);
      expectUnavailable(await timed(() => uploader.finalize(session)));
      faulty.heal();
      expect((await uploader.status(session.sessionId)).body).toMatchObject({
        status: 'pending',
        uploaded: true,
      });
      expect((await uploader.finalize(session)).status).toBe(201);
    },
  );

  it.each(['fail', 'hang', 'cut', 'cutMidway', 'stallMidway'] as const)(
    'inspecting a video in ranges (%s): 503 in time, then it works again',
    async (fault) => {
      const { uploader, store } = faulty;
      const session = await uploader.stage(FILES.mp4);
      store.on({ method: 'GET', key: /\/assets\// }, fault);
      expectUnavailable(await timed(() => uploader.finalize(session)));
      faulty.heal();
      expect((await uploader.status(session.sessionId)).body.status).toBe('pending');
      expect((await uploader.finalize(session)).status).toBe(201);
    },
  );

  it.each(['fail', 'cut', 'cutAfter'] as const)(
    'survives a single failure of the store (%s)',
    async (fault) => {
      const { uploader, store } = faulty;
      for (const step of Object.values(STORE_STEPS)) {
        const session = await uploader.stage(uniqueJpeg());
        store.on({ ...step, nth: 1 }, fault);
        expect((await uploader.finalize(session)).status).toBe(201);
        faulty.heal();
      }
    },
  );

  it.each(['fail', 'hang', 'cut'] as const)(
    'rejects a multipart session, which needs the store (%s)',
    async (fault) => {
      const { uploader, store } = faulty;
      store.on({ method: 'POST' }, fault);
      expectUnavailable(await timed(() => uploader.request(FILES.mp4, { multipart: true })));
      faulty.heal();
      expect((await uploader.request(FILES.mp4, { multipart: true })).status).toBe(201);
    },
  );

  it.each(['fail', 'hang', 'cut'] as const)(
    'rejects a download, and never ends one early as if complete (%s)',
    async (fault) => {
      const { uploader, store } = faulty;
      const { assetId } = await uploader.upload(uniqueJpeg());
      store.on({ method: 'GET', key: /\/assets\// }, fault);
      expectUnavailable(await timed(() => uploader.api.get(`${uploader.base}/${assetId}/download`)));
      faulty.heal();
      store.on({ method: 'GET', key: /\/assets\// }, 'cutMidway');
      await expect(uploader.download(assetId)).rejects.toThrow();
    },
  );
});
