import sharp from 'sharp';
import { CHANNELS } from '../../src/fitness/publishing-limits.js';
import { drainQueue, runJob } from '../support/services/background.js';
import { Bucket } from '../support/store/bucket.js';
import { eventually } from '../support/eventually.js';
import type { Json } from '../support/api/library.js';
import { gradient } from '../support/media/picture-files.js';
import { newClient, newKey } from '../support/api/people.js';
import { expectProblem, pathsOf } from '../support/api/problems.js';
import { OWNER, query, type Service, startService } from '../support/services/service.js';
import { SAMPLES, type TestFile, Uploader } from '../support/api/uploads.js';

let service: Service;
let bucket: Bucket;
let admin: Uploader;
let agent: Uploader['api'];
let portal: Uploader['api'];
let clientId: string;

beforeAll(async () => {
  service = await startService({ WORKER: 'inline' });
  bucket = new Bucket(service);
  const owner = await service.api.signIn(OWNER);
  clientId = await newClient(owner);
  admin = Uploader.admin(owner, clientId);
  agent = owner.as((await newKey(owner, { role: 'agent', clientIds: [clientId] })).key);
  portal = owner.as((await newKey(owner, { role: 'client_manager', clientIds: [clientId] })).key);
});
afterAll(async () => {
  bucket?.close();
  await service?.stop();
});

const file = (bytes: Buffer, mimeType = 'image/jpeg'): TestFile => ({ name: 'picture', mimeType, bytes });
/** Grey, so that it is cheap to make. */
const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#808080' } });
const jpeg = async (width: number, height: number) => file(await plain(width, height).jpeg().toBuffer());
/** More than 10 KB. */
const photograph = async (width: number, height: number) =>
  file(await gradient(width, height).jpeg().toBuffer());
const get = async (assetId: string): Promise<Json> => (await admin.api.get(`${admin.base}/${assetId}`)).body;
const patch = (assetId: string, body: object, headers = {}) =>
  admin.api.patch(`${admin.base}/${assetId}`, body, headers);
const contentPath = (asset: Json, parameters: string) =>
  `/agents/clients/${clientId}/assets/${asset.assetRef}/content?${parameters}`;

async function fetchFit(asset: Json, parameters: string) {
  const response = await agent.fetch('GET', contentPath(asset, `rendition=fit&${parameters}`));
  const bytes = Buffer.from(await response.arrayBuffer());
  if (response.status !== 200) throw new Error(`expected 200, got ${response.status}: ${bytes.toString()}`);
  return { headers: response.headers, bytes, facts: await sharp(bytes).metadata() };
}

/** The objects of an asset's `fit` renditions, which must be those on record. */
async function fitNames(assetId: string): Promise<string[]> {
  const prefix = `clients/${clientId}/assets/${assetId}/renditions/`;
  const stored = (await bucket.keys(`${prefix}fit-`)).map((key) => key.slice(prefix.length));
  const rows = await query<{ name: string }>(
    service.databaseUrl,
    `SELECT name FROM renditions WHERE asset_id = $1 AND name LIKE 'fit-%' ORDER BY name`,
    [assetId],
  );
  expect(rows.map(({ name }) => name)).toEqual(stored.sort());
  return stored;
}

/** As in a listing: without the reasons. */
function listed(asset: Json): Json {
  const fitness = Object.entries<Json>(asset.fitness).map(([surface, { reasons: _, ...rest }]) => [
    surface,
    rest,
  ]);
  return { ...asset, fitness: Object.fromEntries(fitness) };
}

describe('A record', () => {
  it('contains for every surface and channel whether the file can be published there', async () => {
    const asset = await admin.upload(SAMPLES.jpeg);
    expect(asset.fitness).toMatchObject({
      website: { verdict: 'ready', reasons: [], fix: null, channels: { wordpress: 'ready' } },
      social: {
        verdict: 'fixable',
        reasons: [
          {
            code: 'too_wide',
            message: 'Instagram feed accepts widths up to 1440 px',
            limit: 1440,
            actual: 1600,
          },
        ],
        fix: 'fit',
        channels: {
          instagram_feed: 'fixable',
          x: 'ready',
          instagram_reel: 'blocked',
          instagram_reel_cover: 'ready',
        },
      },
      gbp: { verdict: 'ready', channels: { gbp_photo: 'ready', gbp_video: 'blocked' } },
    });
    const channels = Object.values(asset.fitness).flatMap((one: Json) => Object.keys(one.channels));
    expect(channels).toEqual(Object.keys(CHANNELS));
    expect(await get(asset.assetId)).toEqual(asset);
    const { body } = await portal.get('/portal/assets?limit=1');
    const createdBy = { kind: 'agency', id: null, name: 'Agency' };
    expect(body.assets[0]).toEqual({ ...listed(asset), createdBy });
  });

  it.each([
    ['heic', 'fixable', 'fixable', 'fixable'],
    ['webp', 'ready', 'fixable', 'fixable'],
    ['mp4', 'ready', 'ready', 'ready'],
  ] as const)('of a %s is %s for website, %s for social, %s for gbp', async (type, website, social, gbp) => {
    const { fitness } = await admin.upload(SAMPLES[type]);
    expect([fitness.website.verdict, fitness.social.verdict, fitness.gbp.verdict]).toEqual([
      website,
      social,
      gbp,
    ]);
  });

  it('distinguishes files just inside and just outside the limits', async () => {
    const p3 = await plain(1080, 1080).withIccProfile('p3').jpeg().toBuffer();
    const generated = await gradient(400, 400)
      .withXmp(
        '<a DigitalSourceType="http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia"/>',
      )
      .jpeg()
      .toBuffer();
    const cases: [string, TestFile, string, string, string[]][] = [
      ['1440 px wide', await jpeg(1440, 1080), 'instagram_feed', 'ready', []],
      ['1441 px wide', await jpeg(1441, 1080), 'instagram_feed', 'fixable', ['too_wide']],
      ['4:5', await jpeg(800, 1000), 'instagram_feed', 'ready', []],
      ['narrower than 4:5', await jpeg(799, 1000), 'instagram_feed', 'fixable', ['ratio_too_tall']],
      ['1.91:1', await jpeg(955, 500), 'instagram_feed', 'ready', []],
      ['wider than 1.91:1', await jpeg(956, 500), 'instagram_feed', 'fixable', ['ratio_too_wide']],
      ['320 px wide', await jpeg(320, 320), 'instagram_feed', 'ready', []],
      ['319 px wide', await jpeg(319, 319), 'instagram_feed', 'blocked', ['too_narrow']],
      ['in Display P3', file(p3), 'instagram_feed', 'fixable', ['not_srgb']],
      ['generated', file(generated), 'gbp_photo', 'blocked', ['generated_image']],
      ['2560 px wide', await jpeg(2560, 400), 'wordpress', 'ready', []],
      ['2561 px wide', await jpeg(2561, 400), 'wordpress', 'fixable', ['too_many_pixels']],
    ];
    for (const [what, picture, channel, verdict, codes] of cases) {
      const { assetId, fitness } = await admin.upload(picture);
      const { surface } = CHANNELS[channel as keyof typeof CHANNELS];
      const { body } = await admin.api.get(`${admin.base}/${assetId}/fitness`);
      const detail = body.channels.find((one: Json) => one.channel === channel);
      expect([what, detail.verdict, detail.reasons.map(({ code }: Json) => code)]).toEqual([
        what,
        verdict,
        codes,
      ]);
      expect(detail).toMatchObject({ surface, fix: verdict === 'fixable' ? 'fit' : null });
      expect(fitness[surface].channels[channel]).toBe(verdict);
    }
  });

  it('has details for every channel, with sources, on both sides', async () => {
    const { assetId, assetRef } = await admin.upload(SAMPLES.png);
    const { body } = await admin.api.get(`${admin.base}/${assetRef}/fitness`);
    expect(body.rules).toMatch(/^20\d\d-\d\d-\d\d$/);
    expect(body.channels.map(({ channel }: Json) => channel)).toEqual(Object.keys(CHANNELS));
    expect(body.channels[1]).toEqual({
      channel: 'instagram_feed',
      surface: 'social',
      label: 'Instagram feed',
      verdict: 'fixable',
      reasons: [
        {
          code: 'unsupported_type',
          message: 'Instagram feed accepts JPEG',
          limit: 'image/jpeg',
          actual: 'image/png',
        },
      ],
      fix: 'fit',
      advice: [],
      warnings: [],
      source: 'Meta, Instagram Platform, IG User Media, v25.0',
      sourceDate: '2026-03-01',
      notes: ['A carousel can have 2 to 10 images.'],
    });
    expect((await portal.get(`/portal/assets/${assetId}/fitness`)).body).toEqual(body);
    const stranger = await newKey(admin.api, { role: 'viewer', clientIds: [await newClient(admin.api)] });
    expectProblem(
      await admin.api.as(stranger.key).get(`${admin.base}/${assetId}/fitness`),
      404,
      'client_not_found',
    );
    expectProblem(await admin.api.get(`${admin.base}/nonsense/fitness`), 404, 'asset_not_found');
  });
});

describe('A video with an edit list', () => {
  it('is ready for a reel, with a warning that says what to do', async () => {
    const { assetId, fitness } = await admin.upload(SAMPLES.mp4);
    expect(fitness.social.channels.instagram_reel).toBe('ready');
    const { body } = await admin.api.get(`${admin.base}/${assetId}/fitness`);
    expect(body.channels.find(({ channel }: Json) => channel === 'instagram_reel')).toMatchObject({
      verdict: 'ready',
      reasons: [],
      warnings: [
        {
          code: 'has_edit_list',
          message: 'Instagram reel requires files without edit lists',
          limit: 'no edit list',
          actual: 'edit list',
          remedy: expect.stringContaining('ffmpeg'),
        },
      ],
    });
  });
});

describe('The filter fitFor', () => {
  it('finds what is allowed there and is ready or can be fixed, by surface and by channel', async () => {
    const own = await newClient(admin.api);
    const library = Uploader.admin(admin.api, own);
    const ready = await library.upload(await photograph(600, 600));
    const elsewhere = await library.upload(await jpeg(610, 600), { allowedSurfaces: ['website'] });
    const fixable = await library.upload(SAMPLES.heic);
    const small = await library.upload(await jpeg(300, 300));
    const video = await library.upload(SAMPLES.mp4);
    const found = async (parameters: string) => {
      const { body } = await admin.api.get(`${library.base}?sort=oldest&${parameters}`);
      expect(body.total).toBe(body.assets.length);
      return body.assets.map(({ assetId }: Json) => assetId);
    };
    const ids = (...assets: Json[]) => assets.map(({ assetId }) => assetId as string);
    for (const place of ['', '&below=true']) {
      expect(await found(`fitFor=social${place}`)).toEqual(ids(ready, fixable, video));
      expect(await found(`fitFor=website${place}`)).toEqual(ids(ready, elsewhere, fixable, small, video));
      expect(await found(`fitFor=instagram_feed${place}`)).toEqual(ids(ready, fixable));
      expect(await found(`fitFor=facebook${place}`)).toEqual(ids(ready, fixable, small, video));
      expect(await found(`fitFor=gbp_video${place}`)).toEqual(ids(video));
      // A picture can only be the cover of a reel.
      expect(await found(`fitFor=instagram_reel${place}`)).toEqual(ids(video));
      expect(await found(`fitFor=instagram_reel_cover${place}`)).toEqual(ids(ready, fixable, small));
    }
    expect(await found('fitFor=social&fitVerdict=ready')).toEqual(ids(ready, video));
    expect(await found('fitFor=instagram_feed&fitVerdict=ready')).toEqual(ids(ready));
    expect(await found('fitFor=instagram_feed&fitVerdict=fixable&below=true')).toEqual(ids(fixable));
    expect(await found('fitFor=instagram_reel&fitVerdict=fixable')).toEqual([]);
    for (const wrong of ['fitVerdict=ready', 'fitFor=social&fitVerdict=blocked']) {
      const response = await admin.api.get(`${library.base}?${wrong}`);
      expectProblem(response, 400, 'validation_failed');
      expect(pathsOf(response)).toEqual(['fitVerdict']);
    }
    expect(await found('fitFor=wordpress&surface=social')).toEqual(ids(ready, fixable, small, video));
    expect(await found('fitFor=social&mimeType=image/heic')).toEqual(ids(fixable));
    for (const wrong of ['fitFor=', 'fitFor=Social', 'fitFor=myspace', 'fitFor=toString']) {
      const response = await admin.api.get(`${library.base}?${wrong}`);
      expectProblem(response, 400, 'validation_failed');
      expect(pathsOf(response)).toEqual(['fitFor']);
    }
  });

  it('includes assets that were checked with older rules or not at all, as soon as the job has run', async () => {
    const own = await newClient(admin.api);
    const library = Uploader.admin(admin.api, own);
    const never = await library.upload(await photograph(500, 500));
    const before = await library.upload(await jpeg(501, 500));
    await query(
      service.databaseUrl,
      `UPDATE assets SET fitness = NULL, fit_for = NULL, fitness_rules = 0 WHERE id = $1`,
      [never.assetId],
    );
    await query(
      service.databaseUrl,
      `UPDATE assets SET fitness = replace(fitness::text, '"ready"', '"blocked"')::json, fit_for = '{gbp_video}',
         fitness_rules = 20200101 WHERE id = $1`,
      [before.assetId],
    );
    expect((await admin.api.get(`${library.base}/${never.assetId}`)).body).toEqual(never);
    const { body } = await admin.api.get(`${library.base}?sort=oldest`);
    expect(body.assets[0]).toEqual(listed(never));
    await runJob(service, 'judge-fitness');
    const fit = (await admin.api.get(`${library.base}?sort=oldest&fitFor=social`)).body;
    expect(fit.assets).toEqual([never, before].map(listed));
    expect((await admin.api.get(`${library.base}?fitFor=gbp_video`)).body.assets).toEqual([]);
  });
});

describe('The focal point', () => {
  it('is set, shown, versioned, audited and removed like any other field', async () => {
    const { assetId, version, focalPoint } = await admin.upload(await jpeg(500, 500));
    expect(focalPoint).toBeNull();
    const set = await patch(assetId, { focalPoint: { x: 0.25, y: 1 } }, { 'if-match': `"${version}"` });
    expect(set.body).toMatchObject({ focalPoint: { x: 0.25, y: 1 }, version: version + 1 });
    expect(await get(assetId)).toEqual(set.body);
    expectProblem(
      await patch(assetId, { focalPoint: null }, { 'if-match': `"${version}"` }),
      412,
      'version_mismatch',
    );
    expect((await patch(assetId, { title: 'Other' })).body.focalPoint).toEqual({ x: 0.25, y: 1 });
    const { body } = await admin.api.get(`/admin/clients/${clientId}/audit`);
    expect(body.events[1]).toMatchObject({
      action: 'asset.update',
      before: { focalPoint: null },
      after: { focalPoint: { x: 0.25, y: 1 } },
    });
    expect((await patch(assetId, { focalPoint: { x: 0.1234567891, y: 1e-300 } })).body.focalPoint).toEqual({
      x: 0.123457,
      y: 0,
    });
    expect(
      (await portal.patch(`/portal/assets/${assetId}`, { focalPoint: null })).body.focalPoint,
    ).toBeNull();
  });

  it.each([
    [{ x: 1.01, y: 0 }, 'focalPoint.x'],
    [{ x: 0, y: -0.01 }, 'focalPoint.y'],
    [{ x: 0.5 }, 'focalPoint.y'],
    [{ x: '0.5', y: 0.5 }, 'focalPoint.x'],
    [{ x: null, y: 0.5 }, 'focalPoint.x'],
    [{ x: 0.5, y: 0.5, z: 0.5 }, 'focalPoint.z'],
    [[0.5, 0.5], 'focalPoint'],
    ['center', 'focalPoint'],
    [0.5, 'focalPoint'],
  ])('rejects %j, changing nothing', async (focalPoint, path) => {
    const { assetId } = await admin.upload(SAMPLES.png);
    const response = await patch(assetId, { focalPoint });
    expectProblem(response, 400, 'validation_failed');
    expect(pathsOf(response).every((each) => each.startsWith(path.split('.')[0]!))).toBe(true);
    expect(await get(assetId)).toMatchObject({ focalPoint: null, version: 1 });
  });
});

describe('The rendition fit', () => {
  it.each(['jpeg', 'png', 'webp', 'heic'] as const)(
    'of a %s has the ratio, dimensions and file size that its surface requires, sRGB and no metadata',
    async (type) => {
      const asset = await admin.upload(SAMPLES[type]);
      const renditions: [string, string, number][] = [
        ['website', 'original', 2560],
        ['gbp', 'original', 1080],
        ...['original', 'square', 'portrait', 'landscape'].map((shape): [string, string, number] => [
          'social',
          shape,
          1350,
        ]),
        ['social', 'story', 1920],
      ];
      for (const [surface, shape, maxSide] of renditions) {
        const { headers, bytes, facts } = await fetchFit(asset, `surface=${surface}&shape=${shape}`);
        expect(headers.get('content-type')).toBe('image/jpeg');
        expect(facts).toMatchObject({ format: 'jpeg', space: 'srgb', channels: 3 });
        const { exif, xmp, iptc, icc, orientation } = facts;
        expect({ exif, xmp, iptc, icc, orientation }).toEqual({});
        const ratio = facts.width / facts.height;
        const wanted =
          { square: 1, portrait: 0.8, landscape: 1.91, story: 0.5625 }[shape] ?? asset.width / asset.height;
        expect(Math.abs(ratio / wanted - 1)).toBeLessThan(0.01);
        if (surface === 'social' && shape !== 'story') expect(ratio >= 0.8 && ratio <= 1.91).toBe(true);
        if (shape === 'original' && surface !== 'website')
          expect(facts.width).toBe(Math.min(1080, asset.width));
        expect(Math.max(facts.width, facts.height)).toBeLessThanOrEqual(maxSide);
        expect(facts.width <= asset.width && facts.height <= asset.height).toBe(true);
        expect(bytes.length).toBeLessThan(surface === 'social' ? 2_000_000 : 4_900_000);
      }
      expect(await fitNames(asset.assetId)).toHaveLength(7);
    },
  );

  it('is ready for the surface when it is uploaded again', async () => {
    const wide = await admin.upload(file(await plain(3000, 900).png().toBuffer(), 'image/png'));
    expect(wide.fitness.social.verdict).toBe('fixable');
    const { bytes } = await fetchFit(wide, 'surface=social');
    const again = await admin.upload(file(bytes));
    expect(again).toMatchObject({ width: 1080, height: 566, fitness: { social: { verdict: 'ready' } } });
  });

  it('is made once, has an ETag and is sent in ranges', async () => {
    const asset = await admin.upload(await jpeg(1500, 1500));
    const { headers, bytes } = await fetchFit(asset, 'surface=social');
    const path = contentPath(asset, 'rendition=fit&surface=social');
    const known = await agent.fetch('GET', path, { headers: { 'if-none-match': headers.get('etag')! } });
    expect(known.status).toBe(304);
    const part = await agent.fetch('GET', path, { headers: { range: 'bytes=0-3' } });
    expect([part.status, Buffer.from(await part.arrayBuffer())]).toEqual([206, bytes.subarray(0, 4)]);
    expect(await fitNames(asset.assetId)).toHaveLength(1);
  });

  it('is cropped around the focal point; a new one makes a new rendition, and the old objects are deleted', async () => {
    const halves = await sharp({ create: { width: 1200, height: 400, channels: 3, background: '#0000ff' } })
      .composite([
        {
          input: { create: { width: 600, height: 400, channels: 3, background: '#ff0000' } },
          left: 0,
          top: 0,
        },
      ])
      .png()
      .toBuffer();
    const asset = await admin.upload(file(halves, 'image/png'));
    const colour = async () => {
      const { bytes } = await fetchFit(asset, 'surface=social&shape=square');
      const [red, , blue] = (await sharp(bytes).stats()).channels.map(({ mean }) => Math.round(mean));
      return red! > blue! ? 'red' : 'blue';
    };
    await patch(asset.assetId, { focalPoint: { x: 0, y: 0 } });
    expect(await colour()).toBe('red');
    await fetchFit(asset, 'surface=gbp');
    const [before] = await fitNames(asset.assetId);
    await patch(asset.assetId, { focalPoint: { x: 1, y: 0 } });
    expect(await colour()).toBe('blue');
    await eventually(async () => {
      const names = await fitNames(asset.assetId);
      expect(names).toHaveLength(1);
      expect(names).not.toContain(before);
    });
    await patch(asset.assetId, { focalPoint: null });
    await eventually(async () => expect(await fitNames(asset.assetId)).toEqual([]));
    await colour();
    await patch(asset.assetId, { title: 'No new crop' });
    await drainQueue(service);
    expect(await fitNames(asset.assetId)).toHaveLength(1);
    const { batchId } = (await admin.api.delete(`${admin.base}/${asset.assetId}`)).body;
    expectProblem(
      await agent.get(contentPath(asset, 'rendition=fit&surface=social')),
      404,
      'asset_not_found',
    );
    await admin.api.delete(`${admin.base}/trash`, { batchId });
    await eventually(async () => expect(await fitNames(asset.assetId)).toEqual([]));
  });

  it('keeps a wide picture for a business profile high enough', async () => {
    const asset = await admin.upload(await jpeg(2000, 300));
    const { facts } = await fetchFit(asset, 'surface=gbp');
    expect([facts.width, facts.height]).toEqual([1667, 250]);
  });

  it('does not exist for a video, or for a picture that is too small', async () => {
    const video = await admin.upload(SAMPLES.mp4);
    for (const surface of ['website', 'social', 'gbp']) {
      const response = await agent.get(contentPath(video, `rendition=fit&surface=${surface}`));
      expectProblem(response, 415, 'unsupported_media_type');
      expect(response.body.detail).toMatch(/not converted/);
    }
    const small = await admin.upload(await jpeg(319, 400));
    const response = await agent.get(contentPath(small, 'rendition=fit&surface=social'));
    expectProblem(response, 422, 'media_invalid');
    expect(response.body.detail).toMatch(/319 × 400 px.*320 px/);
    expect((await fetchFit(small, 'surface=website')).facts.width).toBe(319);
    expect(await fitNames(video.assetId)).toEqual([]);
  });

  it('is rejected with an invalid shape, a shape without fit, or a surface that is not allowed', async () => {
    const asset = await admin.upload(await jpeg(700, 700), { allowedSurfaces: ['gbp'] });
    const refused = async (parameters: string, status: number, code: string) =>
      expectProblem(await agent.get(contentPath(asset, parameters)), status, code);
    await refused('rendition=fit&surface=gbp&shape=round', 400, 'validation_failed');
    await refused('rendition=fit&surface=gbp&shape=', 400, 'validation_failed');
    await refused('rendition=thumb&surface=gbp&shape=square', 400, 'validation_failed');
    await refused('surface=gbp&shape=square', 400, 'validation_failed');
    await refused('rendition=fit&surface=social', 409, 'surface_not_allowed');
    expect(await fitNames(asset.assetId)).toEqual([]);
  });
});
