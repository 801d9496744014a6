import { createHash } from 'node:crypto';
import 'reflect-metadata';
import { Client, escapeLiteral } from 'pg';
import { DataSource, type Logger } from 'typeorm';
import {
  matchingStatement,
  newestStatement,
  type Wanted,
} from '../../src/agents/pick/candidates.statements.js';
import { AssetListingRepository } from '../../src/assets/asset-listing.repository.js';
import {
  countStatement,
  matchesStatement,
  mergeStatement,
  pageStatement,
  type Statement,
  walkStatement,
} from '../../src/assets/asset-listing.statements.js';
import { type AssetListQuery, SORTS } from '../../src/assets/asset-list.query.js';
import { AssetsRepository } from '../../src/assets/assets.repository.js';
import { type ArchivedFile, ArchivesRepository } from '../../src/archives/archives.repository.js';
import type { ClientScope, Principal } from '../../src/access/principal.js';
import type { AuditRange, AuditSelection } from '../../src/audit/audit-selection.js';
import { AuditRepository } from '../../src/audit/audit.repository.js';
import { AuditSubjectsRepository } from '../../src/audit/audit-subjects.repository.js';
import { Database } from '../../src/database/database.js';
import { dataSourceOptions } from '../../src/database/data-source-options.js';
import { FoldersRepository } from '../../src/folders/folders.repository.js';
import { PurgeRepository } from '../../src/trash/purge.repository.js';
import { TrashPicturesRepository } from '../../src/trash/trash-pictures.repository.js';
import { TrashBatchesRepository } from '../../src/trash-batches/trash-batches.repository.js';
import { UsagesRepository } from '../../src/usages/usages.repository.js';
import { seedMany } from '../support/database/seed-many.js';
import { query, type Service, startService } from '../support/services/service.js';

const CLIENTS = 20;
const ASSETS = 1_500;
const actor: Pick<Principal, 'surfaces'> = { surfaces: ['website'] };
const scope = { clientId: 'seeded-7', actor: actor as Principal } as ClientScope;

const NOBODY = '0198a3c4-7b1e-7cc0-8f5e-2f5d1c9a7b10';
const at = (time: string) => new Date(time);
const ANY_EVENT: AuditSelection = { actor: null, actions: null, subject: null, from: null, to: null };
const md5Id = (text: string) => createHash('md5').update(text).digest('hex');

let service: Service;
let source: DataSource;
const sent: { sql: string; values: unknown[] }[] = [];
const nothing = () => undefined;
const recorder: Logger = {
  logQuery: (sql, values) => void sent.push({ sql, values: (values as unknown[]) ?? [] }),
  logQueryError: nothing,
  logQuerySlow: nothing,
  logSchemaBuild: nothing,
  logMigration: nothing,
  log: nothing,
};

let folderId: string;
let listing: AssetListingRepository;
let assets: AssetsRepository;
let folders: FoldersRepository;
let archives: ArchivesRepository;
let trash: TrashBatchesRepository;
let purge: PurgeRepository;
let pictures: TrashPicturesRepository;
let usages: UsagesRepository;
let audit: AuditRepository;
let subjects: AuditSubjectsRepository;

beforeAll(async () => {
  service = await startService();
  await seedMany(service.databaseUrl, CLIENTS, ASSETS);
  await query(
    service.databaseUrl,
    `INSERT INTO usages (id, client_id, asset_id, kind, external_id, surface, role, created_by)
       SELECT gen_random_uuid(), client_id, id, 'seo_post', id, 'website', 'attached', 'x' FROM assets WHERE size_bytes % 10 = 0`,
  );
  await query(service.databaseUrl, 'VACUUM ANALYZE usages');
  await query(
    service.databaseUrl,
    `INSERT INTO events (id, client_id, actor_kind, actor_id, actor_name, action, subject_kind, subject_id, after)
       SELECT overlay(gen_random_uuid()::text PLACING '01900000-0000-7' FROM 1 FOR 15)::uuid, client_id, 'user', CASE WHEN size_bytes % 7 > 0 THEN md5((size_bytes % 7)::text)::uuid END, 'x',
           (ARRAY['asset.update', 'asset.create', 'asset.trash'])[size_bytes % 3 + 1], 'asset', id, '{"title":"x"}'
         FROM assets`,
  );
  await query(service.databaseUrl, 'VACUUM ANALYZE events');
  source = await new DataSource({
    ...dataSourceOptions({
      url: service.databaseUrl,
      poolSize: 2,
      migrate: false,
      waitSeconds: 0,
      timeoutSeconds: 30,
      readPoolSize: 2,
      readTimeoutSeconds: 5,
    }),
    logging: ['query'],
    logger: recorder,
  }).initialize();
  const database = new Database(source);
  listing = new AssetListingRepository();
  assets = new AssetsRepository(database);
  folders = new FoldersRepository(database);
  archives = new ArchivesRepository(database);
  trash = new TrashBatchesRepository(database);
  purge = new PurgeRepository(database);
  pictures = new TrashPicturesRepository(database);
  usages = new UsagesRepository(database);
  audit = new AuditRepository(database);
  subjects = new AuditSubjectsRepository(database);
  folderId = (await folders.findChildren(scope, null))[0]!.id;
}, 120_000);
afterAll(async () => {
  await source?.destroy();
  await service?.stop();
});

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  Plans?: Plan[];
}

/** Runs the work, then asks Postgres for the plan of each query that was sent. */
async function plansOf(work: () => Promise<unknown>): Promise<Plan[]> {
  sent.length = 0;
  await work();
  const plans: Plan[] = [];
  for (const { sql, values } of [...sent]) {
    if (!/^\s*(SELECT|WITH)/i.test(sql)) continue;
    const [row] = await query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
      service.databaseUrl,
      `EXPLAIN (FORMAT JSON) ${sql}`,
      values,
    );
    plans.push(...nodes(row!['QUERY PLAN'][0]!.Plan));
  }
  return plans;
}

/** The plan for a client so large that the bounds of a listing matter. */
async function planOf({ sql, values }: Statement): Promise<Plan[]> {
  const [row] = await query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
    service.databaseUrl,
    `EXPLAIN (FORMAT JSON) ${sql}`,
    values,
  );
  return nodes(row!['QUERY PLAN'][0]!.Plan);
}

/** The generic plan, independent of the parameters, which Postgres may cache for a named statement. */
async function keptPlanOf({ sql, values }: Statement): Promise<Plan[]> {
  const client = new Client({ connectionString: service.databaseUrl });
  await client.connect();
  try {
    await client.query('SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off');
    await client.query(`PREPARE kept AS ${sql}`);
    const parameters = values.map((value) => escapeLiteral(String(value))).join(', ');
    const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
      `EXPLAIN (FORMAT JSON) EXECUTE kept(${parameters})`,
    );
    return nodes(rows[0]!['QUERY PLAN'][0]!.Plan);
  } finally {
    await client.end();
  }
}

const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)];
const typesOf = (plans: Plan[]) => plans.map((plan) => plan['Node Type']);
const indexesOf = (plans: Plan[]) => plans.flatMap((plan) => plan['Index Name'] ?? []);

function expectNoScan(plans: Plan[]): void {
  expect(plans.length).toBeGreaterThan(0);
  expect(
    plans.filter((plan) => plan['Node Type'] === 'Seq Scan').map((plan) => plan['Relation Name']),
  ).toEqual([]);
}

const asked = (options: Partial<AssetListQuery> = {}): AssetListQuery => ({
  sort: 'newest',
  limit: 50,
  ...options,
});

const INDEXES = {
  newest: 'assets_by_folder_newest',
  oldest: 'assets_by_folder_newest',
  title: 'assets_by_folder_title',
  titleDescending: 'assets_by_folder_title',
  size: 'assets_by_folder_size',
  smallest: 'assets_by_folder_size',
} as const;

describe.each(SORTS)('a page by %s', (sort) => {
  it.each([
    ['of a folder', () => ({ folderId })],
    ['of the top level', () => ({ folderId: null })],
  ])('%s, first or deep, is read from its index in order, without sorting', async (_where, place) => {
    let cursor: string | undefined;
    for (let page = 0; page < 2; page++) {
      const plans = await plansOf(async () => {
        const found = await listing.findPage(
          scope,
          place(),
          asked({ sort, limit: 10, cursor }),
          source.manager,
        );
        cursor = found.nextCursor!;
        expect(found.items).toHaveLength(10);
      });
      expectNoScan(plans);
      expect(indexesOf(plans)).toEqual(['asset_counts_key', INDEXES[sort]]);
      expect(typesOf(plans)).not.toContain('Sort');
      expect(typesOf(plans)).not.toContain('Incremental Sort');

      const statement = pageStatement(scope.clientId, place(), asked({ sort, limit: 10, cursor }));
      const kept = await keptPlanOf(statement);
      expect(indexesOf(kept)).toEqual(['asset_counts_key', INDEXES[sort]]);
      expect(typesOf(kept)).not.toContain('Sort');
      expect(typesOf(kept)).not.toContain('Incremental Sort');
    }
  });
});

describe('Query plans', () => {
  it.each(SORTS)(
    'a page by %s that begins anywhere skips by an index, and looks up only the assets that it shows',
    async (sort) => {
      for (const place of [{ folderId }, { folderId: null }, 'everywhere'] as const) {
        const statement = pageStatement(scope.clientId, place, asked({ sort, limit: 10, offset: 700 }));
        for (const plans of [await planOf(statement), await keptPlanOf(statement)]) {
          expectNoScan(plans);
          expect(indexesOf(plans)).toEqual(expect.arrayContaining(['asset_counts_key', 'assets_pkey']));
          expect(typesOf(plans)).not.toContain('Hash Join');
        }
      }
    },
  );

  it('the activity of an asset is found by its subjects, and what events are about is looked up by id', async () => {
    const clients: AuditRange = { kind: 'clients', clientIds: [scope.clientId] };
    const [event] = await audit.find(clients, ANY_EVENT, null, 1);
    const ofAsset = await plansOf(async () => {
      const range: AuditRange = { kind: 'asset', clientId: scope.clientId, assetId: event!.subjectId };
      expect(await audit.find(range, ANY_EVENT, null, 10)).toHaveLength(1);
    });
    expectNoScan(ofAsset);
    expect(indexesOf(ofAsset)).toContain('events_by_subject');
    expect(indexesOf(ofAsset)).not.toContain('events_by_client');

    const page = await audit.find(clients, ANY_EVENT, null, 50);
    const named = await plansOf(async () => {
      expect((await subjects.find(page)).every(({ asset }) => asset !== null)).toBe(true);
    });
    expect(sent).toHaveLength(1);
    // The other tables are empty here.
    const large = ['assets', 'events', 'folders', 'upload_sessions'];
    expectNoScan(named.filter((plan) => large.includes(plan['Relation Name'] ?? '')));
  });

  describe('activity', () => {
    const one: AuditRange = { kind: 'clients', clientIds: [scope.clientId] };
    const some: AuditRange = { kind: 'clients', clientIds: [scope.clientId, 'seeded-8'] };
    const all: AuditRange = { kind: 'all' };
    const ids = ['1', '2'].map((text) => md5Id(text));
    const actions = ['asset.create', 'asset.trash', 'folder.create'];
    const since = new Date('2020-01-01T00:00:00Z');

    it.each<[string, AuditRange, Partial<AuditSelection>, string]>([
      ['of everything', all, {}, 'events_pkey'],
      ['of a client', one, {}, 'events_by_client'],
      ['of some clients', some, {}, 'events_by_client'],
      ['by an actor', all, { actor: { ids: ids.slice(1) } }, 'events_by_actor'],
      ['by some actors', all, { actor: { ids } }, 'events_by_actor'],
      ['by actions', all, { actions }, 'events_by_action'],
      ['by the service', all, { actor: 'system' }, 'events_by_actor'],
      ['by an actor in a client', one, { actor: { ids } }, 'events_by_client_and_actor'],
      ['by an action in a client', one, { actions: ['asset.none'] }, 'events_by_client_and_action'],
      ['by actions in some clients', some, { actions, from: since }, 'events_by_client_and_action'],
      ['by the service in a client', one, { actor: 'system' }, 'events_by_client_and_actor'],
      ['about a folder', all, { subject: { kind: 'folder', id: 'x' } }, 'events_by_subject'],
    ])('%s is read from an index in order, first and further pages', async (_what, range, wanted, index) => {
      const selection = { ...ANY_EVENT, ...wanted };
      for (const beforeId of [null, '01910000-0000-7000-8000-000000000000']) {
        const plans = await plansOf(() => audit.find(range, selection, beforeId, 51));
        expectNoScan(plans);
        expect([...new Set(indexesOf(plans))]).toEqual([index]);
        // The results of several lookups are sorted together, but none of the lookups.
        if (!selection.subject) expect(typesOf(plans).slice(-2)).toEqual(['Limit', 'Index Scan']);
      }
    });
  });

  it('the cached plan for the path of a folder looks up each ancestor by its id', async () => {
    const plans = await plansOf(() => folders.findPathAndChildren(scope, folderId));
    expectNoScan(plans);
    const kept = await keptPlanOf(sent.find(({ sql }) => sql.includes('RECURSIVE'))!);
    expect(typesOf(kept)).not.toContain('Hash Join');
    expect(indexesOf(kept).filter((index) => index === 'folders_client_id_id_key')).toHaveLength(2);
  });

  it.each([
    ['a folder', () => folderId],
    ['the top level', () => null],
  ])(
    'a page of an archive, first or further, is read from the index of %s in order',
    async (_what, place) => {
      let after: ArchivedFile | null = null;
      for (let page = 0; page < 2; page++) {
        const plans = await plansOf(async () => {
          const files: ArchivedFile[] = await archives.findFilesAfter(
            scope,
            place(),
            after,
            10,
            source.manager,
          );
          expect(files).toHaveLength(10);
          after = files.at(-1)!;
        });
        expectNoScan(plans);
        expect(indexesOf(plans)).toEqual(['assets_by_folder_newest']);
        expect(typesOf(plans)).not.toContain('Sort');
      }
    },
  );

  it.each([
    ['a search for a word', asked({ q: 'harvest' })],
    ['a search for a part of a word', asked({ q: 'arves' })],
    ['a search for two words', asked({ q: 'harvest 77' })],
    ['a search for a short word', asked({ q: '12' })],
    ['a search with a filter', asked({ q: 'harvest', tags: ['tag 3'], surface: 'website' })],
  ])('%s uses an index, in the folder and everywhere, for page and count', async (_what, search) => {
    for (const place of ['everywhere', { folderIds: [folderId] }] as const) {
      expectNoScan(await plansOf(() => listing.findPage(scope, place, search, source.manager)));
      for (const statement of [
        walkStatement(scope.clientId, place, search, 100),
        matchesStatement(scope.clientId, place, search, 'large'),
        countStatement(scope.clientId, place, search, 10, 100),
        countStatement(scope.clientId, place, search, 10),
      ])
        expectNoScan(await planOf(statement));
    }
  });

  it.each([
    ['newest', 'assets_by_newest'],
    ['oldest', 'assets_by_newest'],
    ['title', 'assets_by_title'],
    ['titleDescending', 'assets_by_title'],
    ['size', 'assets_by_size'],
    ['smallest', 'assets_by_size'],
  ] as const)('a walk through the whole library by %s follows %s, without sorting', async (sort, index) => {
    for (const search of [asked({ sort }), asked({ sort, q: 'harvest' }), asked({ sort, tags: ['tag 3'] })]) {
      const plans = await planOf(walkStatement(scope.clientId, 'everywhere', search, 20));
      expectNoScan(plans);
      expect(indexesOf(plans)).toContain(index);
      expect(typesOf(plans)).not.toContain('Sort');
      expectNoScan(await planOf(walkStatement(scope.clientId, { folderIds: [folderId] }, search, 20)));
    }
  });

  it.each([
    ['a tag', asked({ tags: ['rare'] }), 'assets_by_filter'],
    ['a type', asked({ mimeType: 'image/heic' }), 'assets_by_filter'],
    [
      'a tag, a type and a surface',
      asked({ tags: ['rare'], mimeType: 'image/heic', surface: 'gbp' }),
      'assets_by_filter',
    ],
    ['a channel that few are fit for', asked({ fitFor: 'gbp_video' }), 'assets_by_filter'],
    ['assets in use', asked({ used: true }), 'assets_in_use'],
    ['a verdict on a channel', asked({ fitFor: 'gbp_video', fitVerdict: 'fixable' }), 'assets_by_filter'],
    ['a creator', asked({ createdBy: NOBODY }), 'assets_by_creator'],
    ['the agency', asked({ createdBy: 'agency' }), 'assets_by_creator'],
    [
      'a creator, in the portal',
      { ...asked({ createdBy: NOBODY }), onlyPortalUsers: true },
      'assets_by_creator',
    ],
    ['missing alt text', asked({ missingAltText: true }), 'assets_without_alt_text'],
    ['a day', asked({ createdFrom: at('2001-01-01'), createdTo: at('2001-01-02') }), 'assets_by_newest'],
    ['a day, by title', asked({ createdTo: at('2001-01-02'), sort: 'title' }), 'assets_by_newest'],
    ['a day when they were taken', asked({ takenTo: at('2001-01-02') }), 'assets_by_taken'],
    ['an orientation', asked({ orientation: 'portrait' }), 'assets_by_shape'],
    ['a size', asked({ minWidth: 9000, minHeight: 1080 }), 'assets_by_shape'],
    ['duplicates', asked({ duplicates: true }), 'assets_copies'],
    ['a word', asked({ q: 'zebra' }), 'assets_search_text'],
    ['the beginning of a word', asked({ q: 'zq' }), 'assets_search_words'],
    ['one character of a script without spaces', asked({ q: '駅' }), 'assets_search_characters'],
  ])('few matches of %s are found by its index', async (_what, search, index) => {
    const plans = await planOf(matchesStatement(scope.clientId, 'everywhere', search, 'large'));
    expectNoScan(plans);
    expect(indexesOf(plans)).toContain(index);
    expectNoScan(await planOf(matchesStatement(scope.clientId, { folderId }, search, 'large')));
  });

  it('the newest in a range of time are read from the part of the index that contains them', async () => {
    const range = asked({ createdFrom: at('2001-01-01'), createdTo: at('2001-01-02') });
    for (const place of ['everywhere', { folderId }] as const) {
      const { sql, values } = walkStatement(scope.clientId, place, range, 100);
      const rows = await query<{ 'QUERY PLAN': string }>(service.databaseUrl, `EXPLAIN ${sql}`, values);
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).toMatch(/Index Cond: .*created_at >= .*created_at < /);
      expect(plan).not.toContain('Seq Scan');
    }
  });

  it.each([true, false])(
    'assets by whether they are used (%s) are found without reading a whole table',
    async (used) => {
      for (const search of [asked({ used }), asked({ used, sort: 'title', tags: ['tag 3'] })])
        for (const place of ['everywhere', { folderId }, { folderIds: [folderId] }] as const) {
          expectNoScan(await plansOf(() => listing.findPage(scope, place, search, source.manager)));
          for (const statement of [
            walkStatement(scope.clientId, place, search, 20),
            matchesStatement(scope.clientId, place, search, 'large'),
            countStatement(scope.clientId, place, search, 10, 100),
          ])
            expectNoScan(await planOf(statement));
        }
    },
  );

  it.each(SORTS)('a merge of many folders by %s reads the first of each from its index', async (sort) => {
    const place = { folderIds: [folderId], withTopLevel: true };
    const plans = await planOf(mergeStatement(scope.clientId, place, asked({ sort })));
    expectNoScan(plans);
    expect(indexesOf(plans).filter((index) => index === INDEXES[sort])).toHaveLength(2);
  });

  it.each<[string, Omit<Wanted, 'surface'>, string | null]>([
    ['anything', {}, null],
    ['words', { text: 'storefront 1234' }, 'assets_search_text'],
    ['tags', { tags: ['tag 3'] }, 'assets_by_filter'],
    ['types', { mimeTypes: ['image/png', 'video/mp4'] }, 'assets_by_filter'],
    ['what was never used', { used: false, notUsedSince: new Date(0) }, null],
  ])(
    'a pick of %s reads the newest in order, and few matches by the indexes',
    async (_what, wanted, index) => {
      const asked = { surface: 'website', ...wanted } as const;
      for (const words of ['all', 'any'] as const) {
        const bounds = { bound: 50, max: 20 };
        const walk = await planOf(newestStatement(scope.clientId, 'everywhere', asked, words, bounds));
        expectNoScan(walk);
        expect(indexesOf(walk)).toEqual(expect.arrayContaining(['assets_by_newest', 'usages_by_asset']));
        // Only the uses of each asset are sorted, to count those in the same post once.
        const sorted = walk.filter((plan) => plan['Node Type'] === 'Sort').flatMap(nodes);
        expect(sorted.flatMap((plan) => plan['Relation Name'] ?? [])).toEqual(['usages']);
        expect(typesOf(walk)).not.toContain('Incremental Sort');
        const many = { folderIds: [folderId], withTopLevel: true };
        expectNoScan(await planOf(newestStatement(scope.clientId, many, asked, words, bounds)));
        if (index === null) continue;
        const matches = await planOf(
          matchingStatement(scope.clientId, 'everywhere', asked, words, { max: 20 }),
        );
        expectNoScan(matches);
        expect(indexesOf(matches)).toContain(index);
      }
    },
  );

  it('a rare word is found by the index of words', async () => {
    const plans = await plansOf(() =>
      listing.findPage(scope, 'everywhere', asked({ q: '1234' }), source.manager),
    );
    expectNoScan(plans);
    expect(indexesOf(plans)).toContain('assets_search_text');
  });

  it.each<[string, () => Promise<unknown>]>([
    ['the folder tree', () => folders.loadTree(scope)],
    ['the counts of the tree', () => folders.countAssets(scope)],
    ['the path of a folder', () => folders.findPath(scope, folderId)],
    ['the folders of a folder', () => folders.findChildren(scope, folderId)],
    ['the path and the folders of a folder', () => folders.findPathAndChildren(scope, folderId)],
    ['the folders of the top level', () => folders.findChildren(scope, null)],
    ['what is below a folder', () => folders.findSubtreeIds(scope, folderId)],
    ['the tags', () => assets.countTags(scope, source.manager)],
    ['the creators', () => listing.findCreators(scope, source.manager)],
    ['an asset', () => assets.findById(scope, folderId, source.manager)],
    ['the folders of an archive', () => archives.findFolders(scope, folderId, source.manager)],
    ['the folders of a whole library', () => archives.findFolders(scope, null, source.manager)],
    ['the oldest files of folders', () => archives.findOldestFiles(scope, [folderId], 20, source.manager)],
    ['the assets of a batch', () => purge.findAssets(scope, folderId, 100)],
    ['the assets in the folders of a batch', () => purge.findAssetsInFolders(scope, folderId, null, 100)],
    ['the pictures in the trash', () => pictures.find(scope, [folderId])],
    ['the count of a batch', () => trash.countAssetsIn(scope, folderId, source.manager)],
    ['the batches being purged', () => purge.findNextPurging(scope, null)],
    ['the folders with a name', () => folders.findByNames(scope, null, ['folder 7'], source.manager)],
    ['the levels of a folder', () => folders.findSubtree(scope, folderId, null, source.manager)],
    ['the records of a few assets', () => assets.findMany(scope, [folderId, folderId], source.manager)],
    ['the usages of an asset', () => usages.findOfAsset(scope, folderId, null, 50)],
    ['a reference', () => usages.findReference(scope, 'seo_post', 'x')],
    [
      'the references to a few assets',
      () => usages.findLive(scope, { assetIds: [folderId] }, 20, source.manager),
    ],
    [
      'the references to what is in a folder',
      () => usages.findLive(scope, { folderIds: [folderId] }, 20, source.manager),
    ],
    ['which assets are used', () => usages.findUsed(scope, [folderId], source.manager)],
    ['a duplicate', () => assets.findDuplicate(scope, 'ab', source.manager)],
    ['the other copies of files', () => assets.findOtherCopies(scope, [folderId], source.manager)],
  ])('%s: without reading a whole table', async (_what, work) => {
    expectNoScan(await plansOf(work));
  });
});

describe('next to a trashed folder with many assets', () => {
  const emptied = { clientId: 'seeded-9' } as ClientScope;
  const searches = [
    asked(),
    asked({ sort: 'title', limit: 7 }),
    asked({ q: '12' }),
    asked({ q: 'harvest', sort: 'size' }),
    asked({ tags: ['tag 3'], sort: 'oldest' }),
  ];
  const find = (search: AssetListQuery) => listing.findPage(emptied, 'everywhere', search, source.manager);
  /** The counts determine how assets are found: this simulates seeding that many. */
  const pretend = (assets: number, folder: string | null) =>
    query(
      service.databaseUrl,
      `UPDATE asset_counts SET assets = assets + $3 WHERE client_id = $1 AND tag = '' AND folder_id IS NOT DISTINCT FROM $2`,
      [emptied.clientId, folder, assets],
    );
  let trashed: string;
  let expected: string[][];
  const idsOf = async () => {
    const pages: string[][] = [];
    for (const search of searches) {
      const first = await find(search);
      const second = await find({ ...search, cursor: first.nextCursor ?? undefined });
      pages.push([...first.items, ...second.items].map(({ id }) => id));
    }
    return pages;
  };

  beforeAll(async () => {
    trashed = (await folders.findChildren(emptied, null))[0]!.id;
    await query(
      service.databaseUrl,
      `WITH batch AS (
         INSERT INTO trash_batches (id, client_id, folder_id, name, folders, assets, trashed_by)
           VALUES (gen_random_uuid(), $1, $2, 'x', 1, 0, 'x') RETURNING id)
       UPDATE folders SET batch_id = batch.id FROM batch WHERE folders.id = $2`,
      [emptied.clientId, trashed],
    );
    expected = await idsOf();
    await pretend(1_000_000, trashed);
  });

  it('a small library is read by its live folders', async () => {
    expect(await idsOf()).toEqual(expected);
    for (const search of searches) {
      const plans = await plansOf(() => find(search));
      expectNoScan(plans);
      expect(sent.filter(({ sql }) => sql.includes('FROM assets')).map(({ sql }) => sql)).not.toContainEqual(
        expect.stringContaining('NOT IN'),
      );
    }
  });

  it('the pictures of all batches of a page are found by indexes, in one query', async () => {
    const batches = await query<{ id: string }>(
      service.databaseUrl,
      'SELECT id FROM trash_batches WHERE client_id = $1',
      [emptied.clientId],
    );
    await query(
      service.databaseUrl,
      `INSERT INTO renditions (client_id, asset_id, name, status, sha256, size_bytes)
         SELECT client_id, id, 'thumb.webp', 'ready', sha256, 1 FROM assets`,
    );
    for (const table of ['renditions', 'trash_batches']) await query(service.databaseUrl, `ANALYZE ${table}`);
    const found: string[][] = [];
    const plans = await plansOf(async () => {
      const ofBatches = await pictures.find(
        emptied,
        batches.map(({ id }) => id),
      );
      found.push(...ofBatches.values());
    });
    expect(sent).toHaveLength(1);
    expect(found.map(({ length }) => length)).toEqual([4]);
    expect(indexesOf(plans)).toEqual(
      expect.arrayContaining([
        'assets_by_batch',
        'assets_by_folder_newest',
        'folders_by_batch',
        'renditions_pkey',
      ]),
    );
  });

  it('a large library is listed in the same way, even if a scan does not get through the trash', async () => {
    await pretend(20_000, null);
    expect(await idsOf()).toEqual(expected);
    const place = { folderIds: [folderId], withTopLevel: true };
    const walk = walkStatement(scope.clientId, place, asked(), 10, 10);
    const merged = await source.manager.query<{ id: string }[]>(
      mergeStatement(scope.clientId, place, asked({ limit: 9 })).sql,
      mergeStatement(scope.clientId, place, asked({ limit: 9 })).values,
    );
    const walked = await source.manager.query<{ id: string }[]>(walk.sql, walk.values);
    expect(merged).toHaveLength(10);
    expect(walked.length).toBeLessThan(10);
    expect(merged.slice(0, walked.length).map(({ id }) => id)).toEqual(walked.map(({ id }) => id));
  });
});
