import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import sharp from 'sharp';
import { tileOf, writeHeif } from '../support/media/heif-writer.js';
import { fixture } from '../support/media/media-harness.js';
import { newClient } from '../support/people.js';
import { OWNER, query, type Service, startService } from '../support/service.js';
import { FILES, type TestFile, uniqueJpeg, Uploader } from '../support/uploads.js';

/** At full counts: as many slow files as it once took to fill the queue of all clients. */
const PNGS = Number(process.env['SLOW_PNGS'] ?? 12);
const HEICS = Number(process.env['SLOW_HEICS'] ?? 4);

describe('One client with many slow files', () => {
  let service: Service;
  let flooding: Uploader;
  let other: Uploader;
  beforeAll(async () => {
    service = await startService({ AUTH_ACCESS_TOKEN_SECONDS: '3600' });
    const owner = await service.api.signIn(OWNER);
    other = Uploader.admin(owner, await newClient(owner));
  });
  beforeEach(async () => (flooding = Uploader.admin(other.api, await newClient(other.api))));
  afterAll(() => service.kill());

  const unfinished = async () => {
    const [row] = await query<{ count: string }>(
      service.databaseUrl,
      `SELECT count(*) FROM upload_sessions WHERE client_id = $1 AND status = 'finalizing'`,
      [flooding.base.split('/')[3]],
    );
    return Number(row!.count);
  };

  /** Finalizes every file at once; resolves when the decoders are busy with them. */
  const flood = async (file: TestFile, count: number) => {
    const sessions = [];
    for (let index = 0; index < count; index += 1) {
      const bytes = Buffer.concat([file.bytes, Buffer.from(randomUUID())]);
      sessions.push(await flooding.stage({ ...file, bytes }));
    }
    const answers = sessions.map((session) => flooding.finalize(session));
    while ((await unfinished()) < Math.min(count, 3)) await delay(50);
    return Promise.all(answers);
  };

  const expectOthersUnaffected = async (count: number) => {
    for (let round = 0; round < 3; round += 1) {
      const answer = await other.finalize(await other.stage(uniqueJpeg()));
      expect(answer.status).toBe(201);
      const preview = await other.api.fetch('GET', `${other.base}/${answer.body.assetId}/preview?size=thumb`);
      expect(preview.status).toBe(200);
      await preview.arrayBuffer();
    }
    expect(await unfinished()).toBeGreaterThan(count / 3);
  };

  it('leaves the decoders to others: interlaced PNGs', async () => {
    const picture = { width: 5_000, height: 5_000, channels: 3 as const, background: '#336699' };
    const bytes = await sharp({ create: picture }).png({ progressive: true }).toBuffer();
    const answers = flood({ ...FILES.png, bytes }, PNGS);
    await delay(1_500);
    await expectOthersUnaffected(Math.min(PNGS, 200));
    for (const { status } of await answers) expect(status).not.toBe(500);
  });

  it('leaves the decoders to others: 48 megapixel HEICs', async () => {
    const tile = tileOf(fixture('still.heic'), 128);
    const bytes = writeHeif(tile, { grid: { rows: 54, columns: 54 } });
    const answers = flood({ ...FILES.heic, bytes }, HEICS);
    await delay(1_000);
    await expectOthersUnaffected(HEICS);
    for (const { status } of await answers) expect(status).not.toBe(500);
  });
});
