import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { waitUntil, type LibraryService, newLibrary, startLibrary } from '../support/api/library.js';
import { expectProblem } from '../support/api/problems.js';
import { seedAssets } from '../support/database/seed-assets.js';
import { query, type Service } from '../support/services/service.js';

const READ_TIMEOUT_SECONDS = 4;

let running: LibraryService<Service>;
let other: Awaited<ReturnType<typeof newLibrary>>;
describe('The read pool', () => {
  beforeAll(async () => {
    running = await startLibrary({ DATABASE_READ_TIMEOUT_SECONDS: String(READ_TIMEOUT_SECONDS) });
    other = await newLibrary(running.owner);
    await seedAssets(running.service.databaseUrl, running.clientId, [{ title: 'Needle' }]);
  });
  afterAll(() => running?.service.stop());

  /** As if every query of assets took forever. */
  async function withSlowAssets<T>(work: () => Promise<T>): Promise<T> {
    const client = new Client({ connectionString: running.service.databaseUrl });
    await client.connect();
    await client.query('BEGIN; LOCK TABLE assets IN ACCESS EXCLUSIVE MODE');
    try {
      return await work();
    } finally {
      await client.end();
    }
  }

  async function stuckReads(): Promise<number> {
    const [row] = await query<{ count: number }>(
      running.service.databaseUrl,
      `SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return row!.count;
  }

  it('a client with sixteen slow searches delays nobody else, and is told to retry', async () => {
    const { service, owner, admin } = running;
    await withSlowAssets(async () => {
      const began = Date.now();
      const searches = Array.from({ length: 16 }, () => admin.get('?q=needle'));
      await waitUntil(async () => (await stuckReads()) === 1, 'one search runs, the others wait');

      expect((await owner.get('/auth/me')).status).toBe(200);
      expect((await service.api.get('/readyz')).status).toBe(200);
      expect((await service.api.get('/status')).body.checks.database).toBe('ok');
      expect((await owner.get('/admin/clients')).status).toBe(200);
      expect((await other.admin.post('/folders', { name: 'Meanwhile' })).status).toBe(201);
      const others = other.portal.get('?q=needle');
      await waitUntil(async () => (await stuckReads()) === 2, 'another client gets a connection immediately');
      // All of this happens before the first search times out.
      expect(Date.now() - began).toBeLessThan(READ_TIMEOUT_SECONDS * 1000);

      const responses = await Promise.all(searches);
      for (const response of responses) {
        expect(response.status).toBe(503);
        expect(['query_too_expensive', 'server_busy']).toContain(response.body.code);
        expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
      }
      const tooExpensive = responses.find(({ body }) => body.code === 'query_too_expensive');
      expect(tooExpensive!.body.detail).toMatch(/filter|rarer words/);
      expectProblem(await others, 503, 'query_too_expensive');
    });
    expect((await admin.get('?q=needle')).body).toMatchObject({ total: 1, totalIsExact: true });
    expect(await stuckReads()).toBe(0);
  }, 60_000);

  it('a queued search runs as soon as the one before it ends', async () => {
    const { admin } = running;
    const searches = await withSlowAssets(async () => {
      const sent = Array.from({ length: 8 }, () => admin.get('?q=needle'));
      await waitUntil(async () => (await stuckReads()) === 1, 'one search runs, the others wait');
      await delay(100);
      return sent;
    });
    for (const response of await Promise.all(searches)) expect(response.body.total).toBe(1);
  });
});
