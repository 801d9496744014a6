import type { SupportedMime } from '../../src/media/file-types.js';
import type { ApiResponse } from '../support/api/api.js';
import { Bucket } from '../support/store/bucket.js';
import { eventually } from '../support/eventually.js';
import { tileOf, writeHeif } from '../support/media/heif-writer.js';
import { fixture, mimes } from '../support/media/media-harness.js';
import { mutate } from '../support/media/mutations.js';
import { gradient } from '../support/media/picture-files.js';
import { newClient, newKey } from '../support/api/people.js';
import { memoryOfFamily, peakDuring } from '../support/services/process-memory.js';
import { inParallel } from '../support/api/raw-request.js';
import { OWNER, query, type ServiceProcess, startProcess } from '../support/services/service.js';
import { expectStatus, type TestFile, Uploader } from '../support/api/uploads.js';

/** `npm run test:big`: 200. */
const MALFORMED = Number(process.env['MALFORMED'] ?? 15);
const AT_ONCE = 4;
const PREVIEWS = [
  ['', '*/*'],
  ['?size=thumb', 'image/webp'],
  ['?size=small', 'image/jpeg'],
  ['?size=large', 'image/webp'],
] as const;
/** More than any mutation adds. */
const ROOM = 1_024;
/** For all processes together, because their heaps fluctuate. */
const ALLOWED_GROWTH_MB = 200;

let service: ServiceProcess;
let bucket: Bucket;
let admin: Uploader;
let clientId: string;
const genuine = new Map<SupportedMime, Buffer>();

describe('Previews of hostile files', () => {
  beforeAll(async () => {
    service = await startProcess();
    bucket = new Bucket(service);
    const owner = await service.api.signIn(OWNER);
    clientId = await newClient(owner);
    // An API key, because an access token would expire during the long test run.
    const { key } = await newKey(owner, { role: 'operator', clientIds: [clientId] });
    admin = Uploader.admin(owner.as(key), clientId);
    genuine.set('image/jpeg', await gradient(240, 160).jpeg().withMetadata({ orientation: 6 }).toBuffer());
    genuine.set('image/png', await gradient(120, 80, 4).withIccProfile('p3').png().toBuffer());
    genuine.set('image/webp', await gradient(240, 160, 4).webp().toBuffer());
    genuine.set(
      'image/heic',
      writeHeif(tileOf(fixture('still.heic'), 128), { grid: { rows: 2, columns: 2 } }),
    );
    genuine.set('video/mp4', fixture('h264.mp4'));
  });
  afterAll(async () => {
    bucket.close();
    await service.stop();
  });

  const file = (mimeType: SupportedMime, bytes: Buffer): TestFile => ({ name: 'a file', mimeType, bytes });
  const padded = (bytes: Buffer, length: number) =>
    Buffer.concat([bytes, Buffer.alloc(length - bytes.length)]);

  /** The response for each of its previews. */
  async function look(assetId: string): Promise<string[]> {
    const outcomes: string[] = [];
    for (const [size, accept] of PREVIEWS) {
      const response = await admin.api.fetch('GET', `${admin.base}/${assetId}/preview${size}`, {
        headers: { accept },
      });
      const bytes = Buffer.from(await response.arrayBuffer());
      if (response.ok) expect(bytes.length).toBe(Number(response.headers.get('content-length')));
      outcomes.push(
        `preview ${response.ok ? response.status : outcomeOf(response.status, bytes.toString())}`,
      );
    }
    return outcomes;
  }

  const outcomeOf = (status: number, body: string) => `${status} ${/"code":"([a-z_]+)"/.exec(body)?.[1]}`;

  /** Retried as a browser does: if other files keep the decoders busy, it continues in the background for a while. */
  async function finalize(given: TestFile): Promise<ApiResponse> {
    const session = await admin.stage(given);
    return eventually(async () => {
      const response = await admin.finalize(session);
      expect(response.body.code).not.toBe('finalize_in_progress');
      return response;
    }, 300_000);
  }

  /** Uploaded like any other file; if it is accepted, its previews are requested. */
  async function upload(mime: SupportedMime, malformed: Buffer): Promise<string[]> {
    const { status, body } = await finalize(file(mime, malformed));
    if (status !== 201 && status !== 200) return [`finalize ${outcomeOf(status, JSON.stringify(body))}`];
    return ['finalize 201', ...(await look(body.assetId as string))];
  }

  /** Replaces the accepted file, as if the decoders had been more lenient once, so that it reaches them directly. */
  async function smuggle(mime: SupportedMime, malformed: Buffer): Promise<string[]> {
    const good = genuine.get(mime)!;
    const length = good.length + ROOM;
    const { status, body } = await finalize(file(mime, padded(good, length)));
    if (status !== 201 && status !== 200)
      return [`finalize of a good file ${outcomeOf(status, JSON.stringify(body))}`];
    const { assetId } = body as { assetId: string };
    const [asset] = await query<{ attempt: string }>(
      service.databaseUrl,
      'SELECT attempt FROM assets WHERE id = $1',
      [assetId],
    );
    await bucket.write(`clients/${clientId}/assets/${assetId}/${asset!.attempt}`, padded(malformed, length));
    return look(assetId);
  }

  async function expectAllGood(): Promise<void> {
    for (const [mime, bytes] of genuine) {
      const outcomes = await upload(mime, bytes);
      expect([mime, ...outcomes]).toEqual([mime, 'finalize 201', ...PREVIEWS.map(() => 'preview 200')]);
    }
  }

  it(
    `${MALFORMED} malformed files: each is shown or rejected, and nothing else is affected`,
    async () => {
      await expectAllGood();
      const family = () => memoryOfFamily(service.process.pid!);
      const base = family();

      const tally = new Map<string, number>();
      const unexpected: string[] = [];
      const seeds = Array.from({ length: MALFORMED }, (_, index) => index);
      const { peak } = await peakDuring(family, () =>
        inParallel(seeds, AT_ONCE, async (seed) => {
          const mime = mimes[seed % mimes.length]!;
          const malformed = mutate(genuine.get(mime)!, seed + 1);
          for (const outcome of [...(await upload(mime, malformed)), ...(await smuggle(mime, malformed))]) {
            tally.set(outcome, (tally.get(outcome) ?? 0) + 1);
            if (!EXPECTED.has(outcome)) unexpected.push(`${mime}, seed ${seed}: ${outcome}`);
          }
        }),
      );
      expect(unexpected).toEqual([]);
      // Both cases occurred: files that decoders accept, and files that they reject.
      expect([...tally.keys()].sort()).toEqual(
        expect.arrayContaining([
          'finalize 201',
          'finalize 422 media_invalid',
          'preview 200',
          'preview 422 media_invalid',
        ]),
      );

      expect(service.process.exitCode).toBeNull();
      expectStatus(await service.api.get('/readyz'), 200);
      await expectAllGood();
      await eventually(() => expect(family()).toBeLessThan(base + ALLOWED_GROWTH_MB), 60_000);
      if (process.env['MALFORMED']) report({ ...Object.fromEntries(tally), base, peak, after: family() });
    },
    120_000 + MALFORMED * 5_000,
  );

  const EXPECTED = new Set([
    'finalize 201',
    'finalize 415 content_mismatch',
    'finalize 422 media_invalid',
    // Rejected in the background, and reported when the request was repeated.
    'finalize 409 upload_session_closed',
    'preview 200',
    'preview 422 media_invalid',
  ]);

  /** The figures of the long run. */
  function report(figures: Record<string, number>): void {
    const lines = Object.entries(figures).map(([what, figure]) => `  ${what}: ${Math.round(figure)}`);
    process.stdout.write(`${lines.join('\n')}\n`);
  }
});
