import { type Library, type LibraryService, startLibrary, newLibrary } from '../support/api/library.js';
import { eventually } from '../support/eventually.js';
import { expectProblem } from '../support/api/problems.js';
import { query, type Service } from '../support/services/service.js';

/** 150,000 in the long run: more than can be passed to one function call. */
const SIBLINGS = Number(process.env['SIBLING_FOLDERS'] ?? 25_000);
const LIMIT = 20_000;

let running: LibraryService<Service>;
let library: Library;
describe('A library with many folders', () => {
  beforeAll(async () => (running = await startLibrary({ WORKER: 'inline' })));
  afterAll(() => running?.service.stop());
  beforeEach(async () => {
    running = { ...running, ...(await newLibrary(running.owner)) };
    library = running.admin;
  });

  const sql = <T>(text: string, values: unknown[]) => query<T>(running.service.databaseUrl, text, values);

  async function seedFolders(parentId: string, count: number): Promise<void> {
    await sql(
      `INSERT INTO folders (id, client_id, parent_id, name, name_key)
       SELECT gen_random_uuid(), $1, $2, 'Child ' || n, 'child ' || n FROM generate_series(1, $3::int) n`,
      [running.clientId, parentId, count],
    );
    await sql('VACUUM ANALYZE folders', []);
  }

  const childOf = async (parentId: string): Promise<string> =>
    (
      await sql<{ id: string }>('SELECT id FROM folders WHERE parent_id = $1 AND batch_id IS NULL LIMIT 1', [
        parentId,
      ])
    )[0]!.id;

  const counted = async () =>
    (
      await sql<{ count: number }>(
        'SELECT count(*)::int FROM folders WHERE client_id = $1 AND batch_id IS NULL',
        [running.clientId],
      )
    )[0]!.count;

  /** Renames, moves, trashes and restores a folder and, where it can, creates one in it. */
  async function expectChangeable(folderId: string, elsewhere: string): Promise<void> {
    const before = await counted();
    expect((await library.patch('/folders', { folderId, name: `Renamed ${folderId}` })).status).toBe(200);
    expect((await library.patch('/folders', { folderId, parentId: elsewhere })).status).toBe(200);
    const trashed = await library.delete('/folders', { folderId });
    expect(trashed.status).toBe(200);
    const left = await counted();
    expect(before - left).toBe(trashed.body.trashedFolders);
    const { batchId } = trashed.body;
    expect(await library.post('/trash/restore', { batchId })).toMatchObject({
      status: 200,
      body: { folders: trashed.body.trashedFolders },
    });
    expect(await counted()).toBe(before);
    expect((await library.patch('/folders', { folderId, parentId: null })).status).toBe(200);
  }

  it(`changes one of ${SIBLINGS} siblings, and the folder they are in`, async () => {
    const [wide, elsewhere] = [await library.folder('Wide'), await library.folder('Elsewhere')];
    await seedFolders(wide, SIBLINGS);
    await expectChangeable(await childOf(wide), elsewhere);
    await expectChangeable(wide, elsewhere);
    const { status, body } = await library.get('/folders');
    expect([status, body.folders.length]).toEqual([200, SIBLINGS + 4]);
    if (SIBLINGS > LIMIT)
      expectProblem(await library.post('/folders', { name: 'One more' }), 409, 'too_many_folders');
  }, 300_000);

  it(`contains ${LIMIT} folders, including those in the trash, and no more`, async () => {
    const [wide, elsewhere] = [await library.folder('Wide'), await library.folder('Elsewhere')];
    await seedFolders(wide, LIMIT - 5);
    const last = await library.folder('The last', wide);
    expectProblem(await library.post('/folders', { name: 'One more' }), 409, 'too_many_folders');
    // The Social agent's own folder is there already.
    expect((await library.post('/folders', { name: 'Social' })).status).toBe(200);
    await expectChangeable(last, elsewhere);

    const { batchId } = (await library.delete('/folders', { folderId: last })).body;
    expectProblem(await library.post('/folders', { name: 'One more' }), 409, 'too_many_folders');
    await library.delete('/trash', { batchId });
    await eventually(async () =>
      expect((await library.post('/folders', { name: 'One more' })).status).toBe(201),
    );
  }, 300_000);

  it('finds a free name among many restored ones', async () => {
    const folderId = await library.folder('Autumn');
    const { batchId } = (await library.delete('/folders', { folderId })).body;
    await sql(
      `INSERT INTO folders (id, client_id, name, name_key)
       SELECT gen_random_uuid(), $1, name, lower(name) FROM (
         SELECT 'Autumn' AS name UNION ALL SELECT 'Autumn (restored)'
         UNION ALL SELECT 'Autumn (restored ' || n || ')' FROM generate_series(2, 5000) n) AS names`,
      [running.clientId],
    );
    expect((await library.post('/trash/restore', { batchId })).status).toBe(200);
    expect((await library.get(`?folderId=${folderId}`)).body.folder.name).toBe('Autumn (restored 5001)');
  });
});
