import type { Api, ApiResponse } from '../support/api/api.js';
import {
  type Json,
  Library,
  type LibraryService,
  newLibrary,
  sharedLibrary,
  waitUntil,
} from '../support/api/library.js';
import { newKey, newPerson, type Person } from '../support/api/people.js';
import { expectProblem } from '../support/api/problems.js';
import { seedAssets } from '../support/database/seed-assets.js';
import { seedTarget } from '../support/database/seed-deliveries.js';
import { OWNER, query } from '../support/services/service.js';

let running: LibraryService;
let manager: Person;
let operator: Person;
let folderId: string;
let assetId: string;

beforeAll(async () => {
  running = await sharedLibrary();
  const { clientId, owner } = running;
  manager = await newPerson(owner, { role: 'client_manager', clientIds: [clientId] });
  operator = await newPerson(owner, { role: 'operator', clientIds: [clientId] });
  const [library, portal] = [
    new Library(operator.api, `/admin/clients/${clientId}/assets`),
    new Library(manager.api, '/portal/assets'),
  ];
  [assetId] = (await seedAssets(running.service.databaseUrl, clientId, [{ title: 'Storefront' }])) as [
    string,
  ];
  folderId = await library.folder('Summer');
  await portal.patch(`/${assetId}`, { title: '=HYPERLINK("http://x.example")', tags: ['a,b', 'c"d'] });
  await library.delete('/folders', { folderId });
  await seedTarget(running.service.databaseUrl, clientId);
  await operator.api.put(`/admin/clients/${clientId}/integrations/analytics`, {
    name: 'Secret analytics',
    state: 'connected',
  });
});

const inClient = (parameters = '', headers?: Record<string, string>) =>
  running.owner.get(`/admin/clients/${running.clientId}/audit?${parameters}`, headers);
const everywhere = (parameters: string, api = running.owner) => api.get(`/admin/audit?${parameters}`);
const actions = ({ status, body }: ApiResponse): string[] => {
  expect(status).toBe(200);
  return body.events.map(({ action }: Json) => action);
};

describe('The filters of the activity', () => {
  it('answer who deleted a folder', async () => {
    const { body } = await inClient(`subject=folder/${folderId}&action=folder.trash`);
    expect(body.events).toHaveLength(1);
    expect(body.events[0]).toMatchObject({ actor: { id: operator.userId }, clientId: running.clientId });
    expect(actions(await everywhere(`subject=folder/${folderId}`))).toEqual([
      'folder.trash',
      'folder.create',
    ]);
  });

  it('answer what somebody did, by id and by part of the name or address', async () => {
    const expected = ['integration.update', 'folder.trash', 'folder.create'];
    expect(actions(await inClient(`actor=${operator.userId}`))).toEqual(expected);
    expect(actions(await inClient(`actor=name:${operator.email.slice(0, 20).toUpperCase()}`))).toEqual(
      expected,
    );
    expect(actions(await inClient(`actor=${operator.userId}&action=folder.`))).toEqual(expected.slice(1));
    expect(actions(await inClient('actor=name:%25'))).toEqual([]);
    expect(actions(await inClient('actor=system'))).toEqual([]);
  });

  it('take several actions, whole or by their beginning, and page through all of them', async () => {
    const wanted = ['folder.trash', 'asset.update', 'folder.create'];
    expect(actions(await inClient('action=folder.,asset.update'))).toEqual(wanted);
    expect(actions(await inClient('action=folder.&action=asset.update&limit=200'))).toEqual(wanted);
    expect(actions(await inClient('action=target.,nothing.at_all'))).toEqual([]);
    const paged: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: ApiResponse = await inClient(
        `action=folder.,asset.update&limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      paged.push(...actions(page));
      cursor = page.body.nextCursor;
    }
    expect(paged).toEqual(wanted);
  });

  it('include the first instant and exclude the last', async () => {
    const { body } = await inClient('action=folder.');
    const [trashed, created] = body.events.map(({ at }: Json) => at as string);
    expect(actions(await inClient(`action=folder.&from=${created}&to=${trashed}`))).toEqual([
      'folder.create',
    ]);
    expect(actions(await inClient(`action=folder.&from=${trashed}`))).toEqual(['folder.trash']);
    expect(actions(await inClient('from=2030-01-01T00:00:00Z'))).toEqual([]);
  });

  it.each([
    'actor=anna',
    'actor=name:',
    'action=asset',
    'action=%25.',
    'subject=Folder',
    'from=yesterday',
    'to=1',
  ])('reject %s', async (parameters) => {
    expectProblem(await inClient(parameters), 400, 'validation_failed');
    expectProblem(await everywhere(parameters), 400, 'validation_failed');
  });
});

describe('The activity as CSV', () => {
  const CSV = { accept: 'text/csv' };

  it('is a file that spreadsheets open without running anything in it', async () => {
    const response = await inClient(`actor=${manager.userId}`, CSV);
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="?activity-.*\.csv/);
    expect(response.headers.get('vary')).toContain('Accept');
    expect(response.headers.get('cache-control')).toBe('private, no-store');
    const text = response.body as string;
    expect(text).toMatch(/^time,client,actorKind,/);
    expect(text).toContain(`"'=HYPERLINK(""http://x.example"")"`);
    expect(text.trimEnd().split('\r\n')).toHaveLength(2);
  });

  it('begins with the byte order mark by which Excel recognizes UTF-8', async () => {
    const path = `/admin/clients/${running.clientId}/audit?action=nothing.`;
    const response = await running.owner.fetch('GET', path, { headers: CSV });
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  });

  it('contains all that match, whatever the limit', async () => {
    const { databaseUrl } = running.service;
    const [large] = await seedAssets(databaseUrl, running.clientId, [{ title: 'Large' }]);
    await query(
      databaseUrl,
      `INSERT INTO events (id, client_id, actor_kind, actor_name, action, subject_kind, subject_id)
         SELECT ('019a0000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, $1, 'system', 'system', 'asset.adopt', 'asset', $2
           FROM generate_series(1, 1234) n`,
      [running.clientId, large],
    );
    const { body } = await inClient(`assetId=${large}&limit=1`, CSV);
    const rows = (body as string).trimEnd().split('\r\n').slice(1);
    expect(rows).toHaveLength(1234);
    expect(new Set(rows).size).toBe(1234);
    expect(rows[0]).toContain('Large');
    await query(databaseUrl, 'DELETE FROM events WHERE subject_id = $1', [large]);
  });

  it.each([
    [undefined, 'json'],
    ['*/*', 'json'],
    ['text/html, */*;q=0.1', 'json'],
    ['application/json;q=0.5, text/csv', 'csv'],
    ['text/csv;q=0.5, application/json', 'json'],
    ['text/*', 'csv'],
  ])('is sent for %s as %s', async (accept, expected) => {
    const response = await inClient('limit=1', accept === undefined ? {} : { accept });
    expect(response.headers.get('content-type')).toContain(expected);
  });

  it('is not sent as anything else, and not as the body of HEAD', async () => {
    expectProblem(await inClient('', { accept: 'application/xml' }), 406, 'not_acceptable');
    const path = `/admin/clients/${running.clientId}/audit`;
    const head = await running.owner.request('HEAD', path, { headers: CSV });
    expect([head.status, head.headers.get('content-type'), head.body]).toEqual([
      200,
      'text/csv; charset=utf-8',
      '',
    ]);
    expectProblem(await inClient('actor=x', CSV), 400, 'validation_failed');
  });
});

describe('The activity of a portal', () => {
  const ofPortal = (parameters = '', headers?: Record<string, string>) =>
    manager.api.get(`/portal/audit?${parameters}`, headers);

  it('is what concerns the library, with own users by name and everybody else as the agency', async () => {
    const { body } = await ofPortal();
    expect(body.events.map(({ action, actor }: Json) => [action, actor.kind, actor.name])).toEqual([
      ['folder.trash', 'agency', 'Agency'],
      ['asset.update', 'user', manager.email],
      ['folder.create', 'agency', 'Agency'],
    ]);
  });

  it('reveals nobody of the agency, in no field, filter or format', async () => {
    await query(
      running.service.databaseUrl,
      `INSERT INTO events (id, client_id, actor_kind, actor_id, actor_name, action, subject_kind, subject_id, before, request_id)
         VALUES ('019a0000-0000-7000-8000-00000000ffff', $1, 'user', $2, $3, 'trash.purge', 'trash_batch', 'x',
           jsonb_build_object('name', 'Summer', 'trashedBy', $3::text), 'request-of-the-agency')`,
      [running.clientId, operator.userId, operator.email],
    );
    const viewer = await newPerson(running.owner, { role: 'client_viewer', clientIds: [running.clientId] });
    const answers = [
      await ofPortal(),
      await viewer.api.get('/portal/audit'),
      await ofPortal('', { accept: 'text/csv' }),
      await ofPortal('actor=agency'),
      await manager.api.get(`/portal/assets/${assetId}/activity`),
    ];
    for (const { status, body } of answers) {
      expect(status).toBe(200);
      const text = JSON.stringify(body);
      for (const secret of [operator.email, operator.userId, OWNER.email, 'request-of', 'analytics'])
        expect(text).not.toContain(secret);
    }
    expect(actions(answers[3]!)).toEqual(['folder.trash', 'folder.create', 'trash.purge']);
    expect(answers[0]!.body.events.map(({ requestId }: Json) => requestId)).toEqual(Array(4).fill(null));
    for (const parameters of [
      `actor=${operator.userId}`,
      `actor=name:${operator.email}`,
      'action=integration.update',
      'action=client.,target.,user.',
      'subject=integration',
    ])
      expect(actions(await ofPortal(parameters))).toEqual([]);
  });

  it('is that of its own client only', async () => {
    const other = await newLibrary(running.owner);
    const theirs = await newPerson(running.owner, { role: 'client_manager', clientIds: [other.clientId] });
    expect(actions(await theirs.api.get('/portal/audit'))).toEqual([]);
    expect(actions(await theirs.api.get(`/portal/audit?assetId=${assetId}`))).toEqual([]);
    expectProblem(await theirs.api.get(`/portal/assets/${assetId}/activity`), 404, 'asset_not_found');
  });
});

describe('The activity of an asset', () => {
  it('is listed on both sides, also while the asset is in the trash', async () => {
    const { admin, owner, service, clientId } = running;
    const [id] = await seedAssets(service.databaseUrl, clientId, [{ title: 'Rye' }]);
    await admin.delete(`/${id}`);
    const path = `/admin/clients/${clientId}/assets/${id}/activity`;
    expect(actions(await owner.get(path))).toEqual(['asset.trash']);
    expect(actions(await manager.api.get(`/portal/assets/${id}/activity`))).toEqual(['asset.trash']);
    await admin.delete('/trash');
    await query(service.databaseUrl, 'DELETE FROM events WHERE subject_id = $1', [id]);
  });
});

describe('The activity of everything', () => {
  const signIn = (email: string, password: string, headers?: Record<string, string>) =>
    running.owner.post('/auth/login', { email, password }, headers);
  const signInsOf = async (userId: string, api?: Api) =>
    (await everywhere(`subject=user/${userId}&action=sign_in.`, api)).body.events as Json[];

  it('tells who signed in and out, and from where', async () => {
    const { email, password, userId } = operator;
    const signedIn = await signIn(email, password, { 'user-agent': `Browser ${'x'.repeat(500)}` });
    await running.owner.as(signedIn.body.accessToken).post('/auth/logout');
    const [out, into] = await signInsOf(userId);
    expect(out).toMatchObject({ action: 'sign_in.end', actor: { id: userId }, clientId: null });
    expect(into).toMatchObject({
      action: 'sign_in.create',
      actor: { id: userId },
      subject: { name: email },
      after: { network: '127.0.0.1', userAgent: expect.stringMatching(/^Browser x{292}$/) },
    });
  });

  it('tells whose sign-ins failed, with fewer events the more there are, and never what was typed', async () => {
    const person = await newPerson(running.owner, { role: 'viewer', clientIds: [running.clientId] });
    for (let attempt = 1; attempt <= 6; attempt++) await signIn(person.email, `my-secret-typo-${attempt}`);
    await signIn('typed-password-as-email', 'x');
    const refused = async () =>
      (await signInsOf(person.userId)).filter(({ action }) => action === 'sign_in.refuse');
    await waitUntil(async () => (await refused()).length === 3, 'the refusals are recorded');
    const unknown = () => everywhere('subject=user/unknown&action=sign_in.refuse');
    await waitUntil(async () => (await unknown()).body.events.length > 0, 'the unknown account is recorded');
    const found = await refused();
    expect(found.map(({ after }) => after.attempts)).toEqual([4, 2, 1]);
    expect(found[0]).toMatchObject({ actor: { kind: 'system' }, subject: { name: person.email } });
    expect(found[0].after.reason).toBe('invalid_credentials');
    const rows = await query(
      running.service.databaseUrl,
      `SELECT 1 FROM events WHERE events::text LIKE '%my-secret-typo%' OR events::text LIKE '%typed-password-as-email%'`,
    );
    expect(rows).toEqual([]);
  });

  it('tells that sign-ins were refused because there were too many', async () => {
    const person = await newPerson(running.owner, { role: 'viewer', clientIds: [running.clientId] });
    for (let attempt = 1; attempt <= 16; attempt++) await signIn(person.email, 'wrong');
    await waitUntil(async () => {
      const [newest] = await signInsOf(person.userId);
      return newest.after?.attempts === 16;
    }, 'the refusals are recorded');
    const reasons = (await signInsOf(person.userId))
      .filter(({ action }) => action === 'sign_in.refuse')
      .map(({ after }) => after.reason);
    expect(reasons).toEqual(['too_many_attempts', ...Array(4).fill('invalid_credentials')]);
  });

  it('tells that other sign-ins were ended, if there were any', async () => {
    const person = await newPerson(running.owner, { role: 'viewer', clientIds: [running.clientId] });
    await signIn(person.email, person.password);
    const endOthers = async (api: Api) => expect((await api.delete('/auth/sign-ins')).status).toBe(204);
    await endOthers(person.api);
    await endOthers(person.api);
    const { key, keyId } = await newKey(running.owner, { role: 'viewer', clientIds: [running.clientId] });
    await endOthers(running.owner.as(key));
    const ended = async (actor: string) =>
      actions(await everywhere(`actor=${actor}&action=sign_in.end_others`));
    expect(await ended(person.userId)).toHaveLength(1);
    expect(await ended(keyId)).toEqual([]);
  });

  it('tells that a deactivated user knew the password', async () => {
    const person = await newPerson(running.owner, { role: 'viewer', clientIds: [running.clientId] });
    await running.owner.patch(`/admin/users/${person.userId}`, { isActive: false });
    expectProblem(await signIn(person.email, person.password), 401, 'account_inactive');
    await waitUntil(async () => {
      const [newest] = await signInsOf(person.userId);
      return newest.after?.reason === 'account_inactive';
    }, 'the refusal is recorded');
  });

  it('is, for an owner of some clients, that of those clients and of people who belong to no others', async () => {
    const { clientId, owner } = running;
    const other = await newLibrary(owner);
    const both = await newPerson(owner, { role: 'viewer', clientIds: [clientId, other.clientId] });
    const outside = await newPerson(owner, { role: 'viewer', clientIds: [other.clientId] });
    const limited = await newPerson(owner, { role: 'owner', clientIds: [clientId] });
    const { keyId } = await newKey(owner, { role: 'viewer', clientIds: [clientId] });
    await owner.patch(`/admin/users/${both.userId}`, { clientIds: [clientId] });

    const seen = (await everywhere('limit=200', limited.api)).body.events as Json[];
    const subjects = seen.map(({ subjectId }) => subjectId);
    expect(subjects).toEqual(expect.arrayContaining([folderId, keyId, both.userId, limited.userId]));
    expect(subjects).not.toContain(outside.userId);
    expect(subjects).not.toContain('unknown');
    expect(JSON.stringify(seen)).not.toContain(other.clientId);
    expect(await signInsOf(outside.userId, limited.api)).toEqual([]);
    expect(seen.map(({ eventId }) => eventId)).toEqual(
      seen
        .map(({ eventId }) => eventId)
        .sort()
        .reverse(),
    );

    expect(actions(await everywhere(`actor=${operator.userId}&action=folder.`, limited.api))).toEqual([
      'folder.trash',
      'folder.create',
    ]);
    const theirs = await newPerson(owner, { role: 'owner', clientIds: [other.clientId] });
    expect(actions(await everywhere(`actor=${operator.userId}`, theirs.api))).toEqual([]);
    expectProblem(await everywhere('', operator.api), 403, 'permission_denied');
  });
});
