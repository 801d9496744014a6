import { once } from 'node:events';
import { Client } from 'pg';
import { runJob } from '../support/services/background.js';
import { EventReader, type ReceivedEvent } from '../support/api/event-reader.js';
import { eventually } from '../support/eventually.js';
import {
  type Library,
  type LibraryService,
  libraryOn,
  newLibrary,
  startLibrary,
} from '../support/api/library.js';
import { newKey, newPerson, PASSWORD } from '../support/api/people.js';
import { expectProblem } from '../support/api/problems.js';
import { seedAssets } from '../support/database/seed-assets.js';
import { query, type Service, startProcess } from '../support/services/service.js';

let running: LibraryService<Service>;
let replica: Service;
let library: Library;
let readers: EventReader[] = [];
const connections: Client[] = [];
beforeAll(async () => {
  running = await startLibrary({ WORKER: 'inline', TARGETS_ALLOW_PRIVATE: 'true' });
  replica = await running.service.another();
});
afterAll(() => Promise.all([running?.service.stop(), replica?.stop()]));
beforeEach(async () => {
  running = { ...running, ...(await newLibrary(running.owner)) };
  library = running.admin;
});
afterEach(async () => {
  for (const reader of readers) reader.close();
  readers = [];
  await Promise.all(connections.splice(0).map((connection) => connection.end()));
});

const eventsOf = ({ path }: Library) => path.replace(/\/assets$/, '/events');
const follow = async (
  { api, path }: { api: Library['api']; path: string },
  headers: Record<string, string> = {},
) => {
  const reader = await EventReader.open(api, path, headers);
  readers.push(reader);
  return reader;
};
const followAdmin = (headers?: Record<string, string>) =>
  follow({ api: running.owner, path: eventsOf(library) }, headers);
const named = (name: string) => (event: ReceivedEvent) => event.name === name;
const about = (assetId: string) => (event: ReceivedEvent) =>
  event.name === 'asset.changed' && event.data['assetIds']?.includes(assetId);
const seed = (count = 1, clientId = running.clientId, folderId: string | null = null) =>
  seedAssets(
    running.service.databaseUrl,
    clientId,
    Array.from({ length: count }, () => ({ folderId })),
  );
const sql = (text: string, values: unknown[] = []) => query(running.service.databaseUrl, text, values);
const endListeners = () =>
  sql(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'client-asset-library access changes' AND datname = current_database()`,
  );
const openTransaction = async () => {
  const connection = new Client({ connectionString: running.service.databaseUrl });
  connections.push(connection);
  await connection.connect();
  await connection.query('BEGIN');
  return connection;
};

describe('Events of a library', () => {
  it('reach both sides, with a token or a cookie, whichever process made the change', async () => {
    const person = await newPerson(running.owner, { role: 'client_viewer', clientIds: [running.clientId] });
    const login = await running.service.api.post('/auth/login', { email: person.email, password: PASSWORD });
    const cookie = login.headers.getSetCookie()[0]!.split(';')[0]!;
    const admin = await followAdmin();
    const portal = await follow({ api: replica.api, path: '/portal/events' }, { cookie });
    expect(admin.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(admin.headers.get('cache-control')).toBe('no-store, no-transform');
    expect(admin.headers.get('x-accel-buffering')).toBe('no');

    const folderId = await library.folder('Autumn');
    const { uploadToken } = await library.upload({ folderId });
    const { assetId } = (await library.finalize(uploadToken)).body;
    for (const reader of [admin, portal]) {
      const events = await reader.until(about(assetId));
      expect(events).toContainEqual({ name: 'folder.changed', data: { folderIds: [folderId] } });
      expect(events.find(about(assetId))!.data['folderIds']).toContain(folderId);
      reader.clear();
    }

    const startedAt = Date.now();
    await library.api.at(replica.url).patch(`${library.path}/${assetId}`, { title: 'Renamed' });
    for (const reader of [admin, portal]) await reader.until(about(assetId));
    expect(Date.now() - startedAt).toBeLessThan(2_000);
  });

  it('report moves, trashing and restoring, with every affected folder', async () => {
    const from = await library.folder('From');
    const [assetId] = await seed(1, running.clientId, from);
    const reader = await followAdmin();
    await library.patch(`/${assetId}`, { folderId: null });
    // The event of its insertion, in one folder, may still arrive.
    const isMove = (event: ReceivedEvent) =>
      about(assetId!)(event) && (event.data['folderIds'] as unknown[]).length > 1;
    const moved = (await reader.until(isMove)).find(isMove)!;
    expect(new Set(moved.data['folderIds'])).toEqual(new Set([from, null]));

    reader.clear();
    const { batchId } = (await library.delete(`/${assetId}`)).body;
    await reader.until(about(assetId!));
    await reader.until(named('trash.changed'));
    reader.clear();
    await library.post('/trash/restore', { batchId });
    await reader.until(about(assetId!));
    await reader.until(named('trash.changed'));
    reader.clear();
    await library.delete('/folders', { folderId: from });
    await reader.until(named('folder.changed'));
  });

  it('also report changes made directly in the database', async () => {
    const [assetId] = await seed();
    const reader = await followAdmin();
    await sql(`UPDATE assets SET title = 'By hand', version = version + 1 WHERE id = $1`, [assetId]);
    await reader.until(about(assetId!));
  });

  it('never contain anything of another client, or anything the caller may not see', async () => {
    const other = await newLibrary(running.owner);
    const admin = await followAdmin();
    const portal = await follow({ api: running.portal.api, path: '/portal/events' });
    const theirs = await follow({ api: running.owner, path: eventsOf(other.admin) });
    await seed(3, other.clientId);
    await other.admin.folder('Theirs');
    await theirs.until(named('folder.changed'));

    await sql(
      `INSERT INTO targets (id, client_id, kind, name, settings, state)
         VALUES (gen_random_uuid(), $1, 'http', 'Endpoint', '{"url": "http://127.0.0.1:1/", "method": "PUT"}', 'unverified')`,
      [running.clientId],
    );
    const [assetId] = await seed();
    const [target] = await sql('SELECT id FROM targets WHERE client_id = $1', [running.clientId]);
    const [delivery] = await sql(
      `INSERT INTO deliveries (id, client_id, asset_id, target_id, surface, rendition, identity, title, alt_text, caption, description,
           status, created_by)
         VALUES (gen_random_uuid(), $1, $2, $3, 'website', 'original', 'original', '', '', '', '', 'failed', 'x') RETURNING id`,
      [running.clientId, assetId, target!['id']],
    );
    const seen = await admin.until(named('delivery.changed'));
    expect(seen).toContainEqual({ name: 'target.changed', data: { targetIds: [target!['id']] } });
    expect(seen).toContainEqual({ name: 'delivery.changed', data: { deliveryIds: [delivery!['id']] } });
    await portal.until(about(assetId!));
    expect(portal.events.map(({ name }) => name)).not.toContain('delivery.changed');
    expect(portal.events.map(({ name }) => name)).not.toContain('target.changed');
    for (const reader of [admin, portal])
      expect(reader.events.flatMap(({ data }) => data['assetIds'] ?? [])).toEqual([assetId]);

    admin.clear();
    // The heartbeat of a worker is not an event; the result of an attempt is.
    await sql('UPDATE deliveries SET heartbeat_at = now() WHERE id = $1', [delivery!['id']]);
    await seed();
    await admin.until(named('asset.changed'));
    expect(admin.events.map(({ name }) => name)).not.toContain('delivery.changed');
    await sql(`UPDATE deliveries SET status = 'queued' WHERE id = $1`, [delivery!['id']]);
    await admin.until(named('delivery.changed'));
  });

  it('continue after the last received one, on any replica', async () => {
    const first = await followAdmin();
    const [known] = await seed();
    await first.until(about(known!));
    first.close();

    let [missed] = await seed();
    const other = await newLibrary(running.owner);
    await seed(1, other.clientId);
    for (const url of [running.service.url, replica.url]) {
      const at = { api: running.owner.at(url), path: eventsOf(library) };
      const next = await follow(at, { 'last-event-id': first.lastEventId });
      expect(await next.until(about(missed!))).toEqual([
        { name: 'asset.changed', data: { assetIds: [missed], folderIds: [null] } },
      ]);
      // Nothing is sent twice.
      const { lastEventId } = next;
      const later = await follow(at, { 'last-event-id': lastEventId });
      await running.owner.at(url).patch(`${library.path}/${known}`, { title: url });
      expect(await later.until(about(known!))).toEqual([
        { name: 'asset.changed', data: { assetIds: [known], folderIds: [null] } },
      ]);
      first.lastEventId = lastEventId;
      missed = known;
    }
  });

  it('begin with resync when the last received one is unknown', async () => {
    for (const id of ['unknown', 'x'.repeat(5_000), '0'])
      expect((await (await followAdmin({ 'last-event-id': id })).until(named('resync'))).length).toBe(1);
    const fresh = await followAdmin();
    expect(fresh.events).toEqual([]);
  });

  it('are merged: neither many changes nor large ones cause many messages', async () => {
    const reader = await followAdmin();
    const ids = await seed(300);
    const big = (await reader.until(named('asset.changed')))[0]!;
    expect(big.data).toEqual({ folderIds: [null] });
    reader.clear();

    const startedAt = Date.now();
    for (const id of ids) await sql(`UPDATE assets SET title = 'x' WHERE id = $1`, [id]);
    const last = await seed();
    await reader.until(({ data }) => !data['assetIds'] || data['assetIds'].includes(last[0]));
    const seconds = (Date.now() - startedAt) / 1000;
    expect(reader.events.length).toBeLessThanOrEqual(Math.ceil(seconds * 4) + 2);
    const told = new Set(reader.events.flatMap(({ data }) => data['assetIds'] ?? []));
    if (reader.events.every(({ data }) => data['assetIds'])) expect(told.size).toBe(301);
  });

  it('are in the order of commits, and only what is committed is an event', async () => {
    const [late, early, undone] = await seed(3);
    const reader = await followAdmin();
    const [first, rolledBack] = [await openTransaction(), await openTransaction()];
    const rename = `UPDATE assets SET title = 'x' WHERE id = $1`;
    await first.query(rename, [late]);
    await rolledBack.query(rename, [undone]);
    await sql(rename, [early]);
    await reader.until(about(early!));
    await rolledBack.query('ROLLBACK');
    await first.query('COMMIT');
    const only = (id: string) => (event: ReceivedEvent) =>
      about(id)(event) && event.data['assetIds'].length === 1;
    await reader.until(only(late!));
    const changed = await sql(
      `SELECT after->'ids' AS ids FROM events WHERE action = 'asset.changed' ORDER BY position DESC LIMIT 3`,
    );
    expect(changed.map(({ ids }) => ids)).toEqual([[late], [early], [late, early, undone]]);
  });

  it('miss nothing and need no reload when the connection that listens is lost', async () => {
    const reader = await followAdmin();
    await endListeners();
    for (const name of ['Before', 'After']) {
      const folderId = await library.folder(name);
      await reader.until(({ data }) => data['folderIds']?.includes(folderId));
    }
    expect(reader.events.map(({ name }) => name)).not.toContain('resync');
  });

  it('continue after every process was restarted', async () => {
    const { service } = running;
    const first = await service.another();
    const reader = await follow({ api: running.owner.at(first.url), path: eventsOf(library) });
    const [known, missed] = await seed(2);
    await reader.until(about(known!));
    await first.stop();
    await sql(`UPDATE assets SET title = 'x' WHERE id = $1`, [missed]);
    const second = await service.another();
    const next = await follow(
      { api: running.owner.at(second.url), path: eventsOf(library) },
      { 'last-event-id': reader.lastEventId },
    );
    expect(await next.until(about(missed!))).toEqual([
      { name: 'asset.changed', data: { assetIds: [missed], folderIds: [null] } },
    ]);
    await second.stop();
  });

  it('begin with resync when what was missed has been deleted, which keeps the audit log', async () => {
    const reader = await followAdmin();
    const folderId = await library.folder('Kept');
    await reader.until(named('folder.changed'));
    const { lastEventId } = reader;
    await seed();
    await reader.until(named('asset.changed'));
    await sql(`UPDATE events SET at = at - interval '25 hours' WHERE id = $1 OR actor_kind IS NOT NULL`, [
      lastEventId,
    ]);
    // Not the oldest: a stream that continues before it would miss it.
    await runJob(running.service, 'delete-old-changes');
    expect(await sql('SELECT id FROM events WHERE id = $1', [lastEventId])).toHaveLength(1);

    await sql(`UPDATE events SET at = at - interval '25 hours'`);
    await runJob(running.service, 'delete-old-changes');
    const next = await followAdmin({ 'last-event-id': lastEventId });
    await next.until(named('resync'));
    const audit = (await running.owner.get(library.path.replace(/\/assets$/, '/audit'))).body.events;
    expect(audit[0]).toMatchObject({ action: 'folder.create', subjectId: folderId });
  });

  it('continue after a day without changes', async () => {
    const reader = await followAdmin();
    await library.folder('Before');
    await reader.until(named('folder.changed'));
    await sql(`UPDATE events SET at = at - interval '25 hours'`);
    await runJob(running.service, 'delete-old-changes');
    const next = await followAdmin({ 'last-event-id': reader.lastEventId });
    const folderId = await library.folder('After');
    await next.until(({ data }) => data['folderIds']?.includes(folderId));
    expect(next.events.map(({ name }) => name)).not.toContain('resync');
  });

  it('go on with resync when the database is now one that lacks the last ones', async () => {
    const reader = await followAdmin();
    await library.folder('Lost');
    await reader.until(named('folder.changed'));
    await sql('DELETE FROM events WHERE actor_kind IS NULL');
    await sql(`SELECT setval('events_position_seq', 1)`);
    await endListeners();
    await reader.until(named('resync'));
    const folderId = await library.folder('Later');
    await reader.until(({ data }) => data['folderIds']?.includes(folderId));
  });

  describe('end', () => {
    const asPerson = async () => {
      const person = await newPerson(running.owner, { role: 'viewer', clientIds: [running.clientId] });
      return {
        ...person,
        reader: await follow({ api: person.api.at(replica.url), path: eventsOf(library) }),
      };
    };
    const expectEnd = async (reader: EventReader, reason: string) => {
      expect((await reader.until(named('signed_out'))).at(-1)!.data).toEqual({ reason });
      await eventually(() => expect(reader.isEnded).toBe(true));
    };

    it('when the user is deactivated', async () => {
      const { reader, userId } = await asPerson();
      await running.owner.patch(`/admin/users/${userId}`, { isActive: false });
      await expectEnd(reader, 'account_inactive');
    });

    it('when the user signs out, and for nobody else', async () => {
      const { reader, api } = await asPerson();
      const { reader: others } = await asPerson();
      await api.post('/auth/logout');
      await expectEnd(reader, 'signed_out');
      const [assetId] = await seed();
      await others.until(about(assetId!));
      expect(others.isEnded).toBe(false);
    });

    it('when access to the client is revoked', async () => {
      const { reader, userId } = await asPerson();
      const { clientId } = await newLibrary(running.owner);
      await running.owner.patch(`/admin/users/${userId}`, { clientIds: [clientId] });
      await expectEnd(reader, 'permission_denied');
    });

    it('when the API key is revoked', async () => {
      const { key, keyId } = await newKey(running.owner, { role: 'viewer', clientIds: [running.clientId] });
      const reader = await follow({ api: running.owner.as(key), path: eventsOf(library) });
      await running.owner.delete(`/admin/api-keys/${keyId}`);
      await expectEnd(reader, 'signed_out');
    });

    it('silently when a new role sees different events', async () => {
      const { reader, userId } = await asPerson();
      await running.owner.patch(`/admin/users/${userId}`, { role: 'operator' });
      await eventually(() => expect(reader.isEnded).toBe(true));
      expect(reader.events).toEqual([]);
    });
  });

  it("need the permission, and are limited to the caller's client", async () => {
    expectProblem(await running.service.api.get('/portal/events'), 401, 'unauthenticated');
    const { key } = await newKey(running.owner, { role: 'agent', clientIds: [running.clientId] });
    expectProblem(await running.owner.as(key).get(eventsOf(library)), 403, 'permission_denied');
    const other = await newLibrary(running.owner);
    const viewer = await newKey(running.owner, { role: 'viewer', clientIds: [other.clientId] });
    expectProblem(await running.owner.as(viewer.key).get(eventsOf(library)), 404, 'client_not_found');
    const head = await running.owner.request('HEAD', eventsOf(library));
    expect(head.status).toBe(200);
  });
});

describe('A service with few event streams', () => {
  it('limits streams, keeps them alive, needs no database connection for them, and stops immediately', async () => {
    const { owner, admin, service } = await libraryOn(
      await startProcess({
        LIMIT_EVENT_STREAMS: '6',
        LIMIT_EVENT_STREAMS_PER_CALLER: '4',
        // Longer than a sign-in takes on a busy machine.
        HTTP_IDLE_TIMEOUT_SECONDS: '5',
        DATABASE_POOL_SIZE: '1',
      }),
    );
    const path = eventsOf(admin);
    const mine: EventReader[] = [];
    for (let index = 0; index < 4; index++) mine.push(await EventReader.open(owner, path));
    expectProblem(await owner.get(path), 429, 'too_many_requests');
    const { key } = await newKey(owner, { role: 'viewer', clientIds: null });
    const others = [await EventReader.open(owner.as(key), path), await EventReader.open(owner.as(key), path)];
    const busy = await owner.as(key).get(path);
    expectProblem(busy, 503, 'server_busy');
    expect(Number(busy.headers.get('retry-after'))).toBeGreaterThan(0);

    others[0]!.close();
    await eventually(async () => {
      const again = await EventReader.open(owner.as(key), path);
      others.push(again);
    });
    // One at once, then two per idle timeout: the stream has now been open for longer than that.
    await eventually(() => expect(mine[0]!.heartbeats).toBeGreaterThan(3));
    await admin.folder('Still works');
    for (const reader of mine) await reader.until(named('folder.changed'));

    const startedAt = Date.now();
    const exit = once(service.process, 'exit') as Promise<[number]>;
    service.process.kill('SIGTERM');
    expect((await exit)[0]).toBe(0);
    expect(Date.now() - startedAt).toBeLessThan(5_000);
    await eventually(() => expect([...mine, others[1]!].every(({ isEnded }) => isEnded)).toBe(true));
  });
});
