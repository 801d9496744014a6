import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { newClient } from '../support/api/people.js';
import { expectProblem } from '../support/api/problems.js';
import { launchProcess, OWNER, query, type Service, startService } from '../support/services/service.js';
import { FILES, uniqueJpeg, Uploader } from '../support/api/uploads.js';

const clockBehind = pathToFileURL(join(__dirname, '../support/services/clock-behind.mjs')).href;

/** Two processes on one database; the clock of one of them is two hours slow. */
describe('A process with a wrong clock', () => {
  let service: Service;
  let slow: Service;
  let right: Uploader;
  let behind: Uploader;
  beforeAll(async () => {
    const settings = { AUTH_ACCESS_TOKEN_SECONDS: '86400', UPLOAD_SESSION_SECONDS: '600' };
    service = await startService(settings);
    const owner = await service.api.signIn(OWNER);
    right = Uploader.admin(owner, await newClient(owner));
    slow = await launchProcess({
      ...service.env,
      PORT: undefined,
      NODE_OPTIONS: `--import ${clockBehind}`,
    });
    behind = new Uploader(owner.at(slow.url), right.base);
  });
  afterAll(async () => {
    await slow.stop();
    await service.stop();
  });

  const sql = <T>(text: string, ...values: unknown[]) => query<T>(service.databaseUrl, text, values);

  it('does not finalize or renew a session that has expired', async () => {
    const session = await right.stage(uniqueJpeg());
    await sql(
      `UPDATE upload_sessions SET expires_at = now() - interval '1 second' WHERE id = $1`,
      session.sessionId,
    );
    const renewal = await behind.api.post(`${behind.base}/upload-session/${session.sessionId}/renew`);
    expectProblem(renewal, 410, 'upload_session_expired');
    expectProblem(await behind.finalize(session), 410, 'upload_session_expired');
  });

  it('takes over from a process that is gone', async () => {
    const session = await right.stage(uniqueJpeg());
    await sql(
      `UPDATE upload_sessions SET status = 'finalizing', attempt = $2, lease_until = now() - interval '1 second' WHERE id = $1`,
      session.sessionId,
      randomUUID(),
    );
    expect((await behind.finalize(session)).status).toBe(201);
  });

  it('opens sessions with the usual lifetime', async () => {
    const { sessionId } = await behind.open(FILES.jpeg);
    const [row] = await sql<{ left: number }>(
      'SELECT extract(epoch FROM expires_at - now())::int AS left FROM upload_sessions WHERE id = $1',
      sessionId,
    );
    expect(row!.left).toBeGreaterThan(500);
    expect(row!.left).toBeLessThanOrEqual(600);
  });

  it('holds its lease against processes with the right time', async () => {
    const session = await right.stage(uniqueJpeg());
    const leases: number[] = [];
    const finalizing = behind.finalize(session);
    let finished = false;
    void finalizing.finally(() => (finished = true));
    while (!finished) {
      const [row] = await sql<{ left: number | null }>(
        'SELECT extract(epoch FROM lease_until - now())::int AS left FROM upload_sessions WHERE id = $1',
        session.sessionId,
      );
      if (row!.left !== null) leases.push(row!.left);
    }
    expect((await finalizing).status).toBe(201);
    for (const left of leases) expect(left).toBeGreaterThan(0);
  });

  it('keeps deleted attempts waiting for late writes, and deletes uploads now', async () => {
    const session = await right.stage({ ...FILES.png, mimeType: 'image/jpeg' });
    expectProblem(await behind.finalize(session), 415, 'content_mismatch');
    const rows = await sql<{ wait: number }>(
      `SELECT extract(epoch FROM run_at - now())::int AS wait FROM graphile_worker.jobs
        WHERE task_identifier = 'delete-object' ORDER BY id DESC LIMIT 2`,
    );
    expect(rows.filter(({ wait }) => wait > 3_000)).toHaveLength(1);
    const [upload] = await sql<{ wait: number }>(
      'SELECT extract(epoch FROM delete_upload_at - now())::int AS wait FROM upload_sessions WHERE id = $1',
      session.sessionId,
    );
    expect(upload!.wait).toBeLessThanOrEqual(0);
    expect(upload!.wait).toBeGreaterThan(-60);
  });

  it('makes a preview again as soon as its failure has expired', async () => {
    const { assetId } = await right.upload(uniqueJpeg());
    const hold = (interval: string) =>
      sql(
        `INSERT INTO renditions (client_id, asset_id, name, status, failure, failures, hold_until)
         VALUES ($1, $2, 'thumb.webp', 'failed', 'It is damaged.', 1, now() + $3::interval)
         ON CONFLICT (asset_id, name) DO UPDATE SET hold_until = excluded.hold_until`,
        right.base.split('/')[3],
        assetId,
        interval,
      );
    const preview = () => behind.api.get(`${behind.base}/${assetId}/preview?size=thumb`);
    await hold('1 minute');
    expect((await preview()).status).toBe(422);
    await hold('-1 second');
    expect((await preview()).status).toBe(200);
  });
});
