import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import sharp from 'sharp';
import type { Api } from '../support/api/api.js';
import { attachmentsOf, DeliveringClient, expectOnce, QUICK_DELIVERIES } from '../support/api/deliveries.js';
import { eventually, Signal } from '../support/eventually.js';
import { box } from '../support/media/heif-writer.js';
import { filmWith, locatedFilm, mediaData, traces, xyz } from '../support/media/located-film.js';
import { expectProblem } from '../support/api/problems.js';
import { query, type Service, startService } from '../support/services/service.js';
import { expectStatus, FILES, sha256, type TestFile, uniqueJpeg } from '../support/api/uploads.js';
import { WordPressMediaLibrary } from '../support/wordpress/wordpress-media.js';
import { SITE_USER } from '../support/wordpress/wordpress-site.js';

let service: Service;
let client: DeliveringClient;
let media: WordPressMediaLibrary;
let targetId: string;
beforeAll(async () => {
  service = await startService({
    ...QUICK_DELIVERIES,
    DELIVERY_RETRY_SECONDS: '1,3600',
    DELIVERY_ANSWER_SECONDS: '60',
  });
  client = await DeliveringClient.create(service);
  media = await WordPressMediaLibrary.start();
  targetId = await client.newTarget(media.site.target());
});
afterEach(() => media.heal());
afterAll(async () => {
  // First, because a site that hangs keeps its deliveries running.
  await media.site.stop();
  await service.stop();
});

const UNKNOWN = '0198a3c4-7b1e-7cc0-8f5e-2f5d1c9a7b10';

/** Keeps the target busy with one upload until the function is called. */
async function occupy(): Promise<() => Promise<void>> {
  const [reached, released] = [new Signal(), new Signal()];
  media.once('upload', async () => {
    reached.fire();
    await released.wait('the end of the upload', 60_000);
  });
  const { deliveryId } = await client.deliver(targetId);
  await reached.wait('the upload');
  return async () => {
    released.fire();
    await client.waitFor(deliveryId, 'delivered');
  };
}

const picture = async (width: number, height: number, type: 'png' | 'jpeg' | 'webp'): Promise<TestFile> => {
  const pixels = {
    create: { width, height, channels: 4 as const, background: { r: 10, g: 90, b: 200, alpha: 0.5 } },
  };
  const image = sharp(pixels).withExif({ IFD0: { ImageDescription: 'A secret', Orientation: '6' } });
  const bytes = await (type === 'jpeg' ? image.withMetadata({ orientation: 6 }) : image)
    .toFormat(type)
    .toBuffer();
  return { name: `picture.${type}`, mimeType: `image/${type}`, bytes };
};

describe('A delivery to a WordPress site', () => {
  it('arrives with its texts, and is recorded as a usage and in the audit', async () => {
    const asset = await client.newAsset(uniqueJpeg(), {
      title: `Café <script>alert(1)</script> & "more" of Tom's &lt; AT&T`,
      altText: `Pumpkins, "at" Tom's door [gallery] &lt; & <3`,
      description: 'First\n[gallery] <b>second</b> [1]',
    });
    const created = await client.create(asset.assetRef, targetId, { caption: `<i>Tom's "shop"</i>` });
    expect(created.status).toBe(202);
    expect(created.body).toEqual({
      deliveryId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      assetRef: asset.assetRef,
      targetId,
      surface: 'website',
      rendition: 'original',
      status: 'queued',
      attempts: 0,
      nextAttemptAt: expect.stringMatching(/Z$/),
      lastError: null,
      remoteId: null,
      remoteUrl: null,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    });
    const delivery = await client.waitFor(created.body.deliveryId, 'delivered');
    expect(delivery).toMatchObject({ attempts: 1, lastError: null });
    const attachment = expectOnce(media, delivery);
    expect(attachment.fileName).toBe('cafe-script-alert-1-script-more-of-tom-s-lt-at-t.jpg');
    expect(attachment.fields).toEqual({
      slug: `cal-${delivery.deliveryId.replaceAll('-', '')}`,
      title: `Café &lt;script&gt;alert(1)&lt;/script&gt; & "more" of Tom's &amp;lt; AT&T`,
      alt_text: `Pumpkins, "at" Tom's door &#91;gallery] &amp;lt; & &lt;3`,
      caption: `&lt;i&gt;Tom's "shop"&lt;/i&gt;`,
      description: 'First\n&#91;gallery] &lt;b&gt;second&lt;/b&gt; [1]',
    });
    expect(await client.usages(asset.assetId)).toMatchObject([
      {
        kind: 'delivery',
        role: 'delivered',
        externalId: delivery.deliveryId,
        surface: 'website',
        title: `Site ${media.site.port}`,
        url: delivery.remoteUrl,
        createdBy: 'Test key',
      },
    ]);
    const { body: audit } = await client.owner.get(`${client.admin}/audit`);
    const events = audit.events.filter(
      ({ subjectId }: { subjectId: string }) => subjectId === delivery.deliveryId,
    );
    expect(events.map(({ action, actor }: any) => [action, actor.kind])).toEqual([
      ['delivery.delivered', 'system'],
      ['delivery.create', 'api_key'],
    ]);
    expect(service.output()).not.toContain(SITE_USER.applicationPassword.replaceAll(' ', ''));
    expect(service.output()).not.toContain(
      Buffer.from(`${SITE_USER.username}:`).toString('base64').slice(0, 16),
    );
  });

  it('gets a file name in ASCII that says what it is', async () => {
    const names: [string, string | undefined, RegExp][] = [
      ['日本語.jpg', undefined, /^image-[0-9a-f]{8}\.jpg$/],
      ['DSC_1.jpg', '写真 12', /^dsc-1\.jpg$/],
      ['x.jpg', 'Вечерняя Москва', /^vechernyaya-moskva\.jpg$/],
      ['Smørrebrød.jpg', undefined, /^smorrebrod\.jpg$/],
    ];
    const seen = new Set<string>();
    for (const [name, title, expected] of [...names, names[0]!]) {
      const { assetRef } = await client.newAsset({ ...uniqueJpeg(), name }, { title });
      const { deliveryId } = expectStatus(await client.create(assetRef, targetId), 202);
      const { fileName } = expectOnce(media, await client.waitFor(deliveryId, 'delivered'));
      expect(fileName).toMatch(expected);
      seen.add(fileName);
    }
    expect(seen.size).toBe(names.length + 1);
  });

  it('sends pictures upright, without metadata and at most 2560 pixels wide or high, and videos unchanged', async () => {
    const cases: [string, TestFile, object][] = [
      ['JPEG', await picture(3000, 1500, 'jpeg'), { format: 'jpeg', width: 1280, height: 2560 }],
      ['PNG', await picture(2600, 130, 'png'), { format: 'png', width: 2560, height: 128, hasAlpha: true }],
      ['WebP', await picture(300, 200, 'webp'), { format: 'webp', width: 300, height: 200, hasAlpha: true }],
      ['HEIC', FILES.heic, { format: 'jpeg' }],
    ];
    const films = client.deliver(targetId, {}, FILES.mp4);
    const sent = await Promise.all(
      cases.map(async ([, file]) => {
        const { deliveryId } = await client.deliver(targetId, {}, file);
        return expectOnce(media, await client.waitFor(deliveryId, 'delivered'));
      }),
    );
    for (const [index, attachment] of sent.entries()) {
      const metadata = await sharp(attachment.bytes).metadata();
      expect(metadata).toMatchObject(cases[index]![2]);
      expect([metadata.exif, metadata.orientation, metadata.xmp, metadata.iptc]).toEqual(
        Array(4).fill(undefined),
      );
      expect(attachment.mimeType).toBe(`image/${metadata.format}`);
      expect(attachment.fileName).toMatch(
        new RegExp(`\\.${metadata.format === 'jpeg' ? 'jpg' : metadata.format}$`),
      );
    }
    const film = expectOnce(media, await client.waitFor((await films).deliveryId, 'delivered'));
    expect([film.mimeType, sha256(film.bytes)]).toEqual(['video/mp4', sha256(FILES.mp4.bytes)]);
  });

  it('sends a smaller rendition on request', async () => {
    const { deliveryId, rendition } = await client.deliver(targetId, { rendition: 'thumb' }, FILES.png);
    expect(rendition).toBe('thumb');
    const attachment = expectOnce(media, await client.waitFor(deliveryId, 'delivered'));
    const { width, height, format } = await sharp(attachment.bytes).metadata();
    expect([Math.max(width, height), format]).toEqual([256, 'webp']);
  });

  it('sends what fits the surface, and immediately rejects what cannot be made to fit', async () => {
    const file = await picture(3000, 1000, 'png');
    const { assetRef } = await client.newAsset(file);
    for (const [surface, width, height] of [
      ['website', 2560, 853],
      ['social', 1080, 566],
    ] as const) {
      const order = { rendition: 'fit', surface };
      const { deliveryId } = expectStatus(await client.create(assetRef, targetId, order), 202);
      const attachment = expectOnce(media, await client.waitFor(deliveryId, 'delivered'));
      expect(await sharp(attachment.bytes).metadata()).toMatchObject({ format: 'jpeg', width, height });
    }
    const film = await client.newAsset(FILES.mp4);
    const refused = await client.create(film.assetRef, targetId, { rendition: 'fit' });
    expectProblem(refused, 415, 'unsupported_media_type');
  });
});

describe('The slug by which a delivery finds its upload', () => {
  const markerOf = (deliveryId: string) => `cal-${deliveryId.replaceAll('-', '')}`;
  const titled = async (title: string) => {
    const { assetRef } = await client.newAsset(uniqueJpeg(), { title });
    return expectStatus(await client.create(assetRef, targetId), 202).deliveryId as string;
  };
  const arrived = async (deliveryId: string) =>
    expectOnce(media, await client.waitFor(deliveryId, 'delivered'));

  it('is replaced by that of the title once the file has arrived', async () => {
    const attachment = await arrived(await titled('Ten "breads" & <more>'));
    await eventually(() => expect(attachment.slug).toBe('ten-breads-more'));
    const japanese = await arrived(await titled('日本'));
    await eventually(() => expect(japanese.slug).toBe('%e6%97%a5%e6%9c%ac'));
  });

  it('stays as a person has changed it', async () => {
    media.once('responded', () => void (media.attachments.at(-1)!.slug = 'my-own'));
    const deliveryId = await titled('Ten rolls');
    const attachment = await arrived(deliveryId);
    await client.waitUntilSettled(deliveryId);
    expect(attachment.slug).toBe('my-own');
  });

  it('stays until the last check for duplicates if a response was lost', async () => {
    media.failUploads('cut_after');
    const deliveryId = await titled('Ten cakes');
    const attachment = await arrived(deliveryId);
    const slug = attachment.slug;
    await client.waitUntilSettled(deliveryId);
    expect([slug, attachment.slug]).toEqual([markerOf(deliveryId), 'ten-cakes']);
  });

  it('is replaced later if the site refuses at first, and the delivery does not fail', async () => {
    const uploads = media.uploads;
    media.failLookups('forbidden');
    const deliveryId = await titled('Ten pies');
    const attachment = await arrived(deliveryId);
    await client.waitUntilSettled(deliveryId);
    await eventually(() => expect(attachment.slug).toBe('ten-pies'));
    expect(media.uploads - uploads).toBe(1);
    expect(await client.get(deliveryId)).toMatchObject({ status: 'delivered', attempts: 1, lastError: null });
  });

  it('is not looked for in a file that was deleted meanwhile', async () => {
    media.once('responded', () => void media.attachments.pop());
    const deliveryId = await titled('Ten tarts');
    await client.waitFor(deliveryId, 'delivered');
    await client.waitUntilSettled(deliveryId);
    expect(attachmentsOf(media, deliveryId)).toEqual([]);
  });
});

describe('The same asset, rendition and target', () => {
  it('is delivered once by 50 simultaneous requests', async () => {
    const { assetRef } = await client.newAsset();
    const before = media.uploads;
    const responses = await Promise.all(Array.from({ length: 50 }, () => client.create(assetRef, targetId)));
    expect(responses.map(({ status }) => status).sort()).toEqual([...Array(49).fill(200), 202]);
    const ids = new Set(responses.map(({ body }) => body.deliveryId as string));
    expect(ids.size).toBe(1);
    expectOnce(media, await client.waitFor([...ids][0]!, 'delivered'));
    expect(media.uploads - before).toBe(1);
  });

  it('returns the earlier delivery, unless forced; another rendition is another delivery', async () => {
    const { assetRef } = await client.newAsset();
    const { deliveryId } = expectStatus(await client.create(assetRef, targetId), 202);
    const delivered = await client.waitFor(deliveryId, 'delivered');
    const again = await client.create(assetRef, targetId, { title: 'Another title' });
    expect([again.status, again.body]).toEqual([200, delivered]);

    const forced = await client.create(assetRef, targetId, { force: true });
    expect(forced.status).toBe(202);
    expect(forced.body.deliveryId).not.toBe(deliveryId);
    expectOnce(media, await client.waitFor(forced.body.deliveryId, 'delivered'));
    expectOnce(media, delivered);
    expect((await client.create(assetRef, targetId)).body.deliveryId).toBe(forced.body.deliveryId);

    const small = expectStatus(await client.create(assetRef, targetId, { rendition: 'small' }), 202);
    expectOnce(media, await client.waitFor(small.deliveryId, 'delivered'));
  });

  it('can be delivered again after a failure', async () => {
    const { assetRef } = await client.newAsset();
    media.failUploads('too_large_413');
    const first = expectStatus(await client.create(assetRef, targetId), 202);
    expect(await client.waitFor(first.deliveryId, 'failed')).toMatchObject({
      attempts: 1,
      lastError: {
        code: 'file_too_large_for_target',
        step: 'upload',
        detail: expect.stringMatching(/limit/),
      },
      remoteId: null,
    });
    const second = expectStatus(await client.create(assetRef, targetId), 202);
    expectOnce(media, await client.waitFor(second.deliveryId, 'delivered'));
    const retry = await client.post(first.deliveryId, 'retry');
    expectProblem(retry, 409, 'delivery_not_retryable');
    expect(retry.body.detail).toContain(second.deliveryId);
    expect(attachmentsOf(media, first.deliveryId)).toEqual([]);
  });
});

describe('Many assets at once', () => {
  const deliver = (assetRefs: readonly unknown[], more: object = {}) =>
    client.owner.post(`${client.admin}/deliveries/batch`, {
      assetRefs,
      targetId,
      surface: 'website',
      ...more,
    });

  it('are delivered except those that cannot be, each once, however often they are requested', async () => {
    const [plain, film, social, trashed] = [
      await client.newAsset(),
      await client.newAsset(FILES.mp4),
      await client.newAsset(uniqueJpeg(), { allowedSurfaces: ['social'] }),
      await client.newAsset(),
    ];
    await client.owner.delete(`${client.admin}/assets/${trashed.assetId}`);
    const other = await DeliveringClient.create(service, client.owner);
    const foreign = await other.newAsset();
    const refs = [plain, film, social, trashed, foreign, plain].map(({ assetRef }) => assetRef);
    const fit = { rendition: 'fit', surface: 'website' };
    const responses = await Promise.all(Array.from({ length: 4 }, () => deliver(refs, fit)));
    for (const { status, body } of responses)
      expect({ status, results: body.results }).toEqual({
        status: 202,
        results: [
          { assetRef: plain.assetRef, ok: true, isNew: expect.any(Boolean), delivery: expect.any(Object) },
          refusal(film, 'unsupported_media_type'),
          refusal(social, 'surface_not_allowed'),
          refusal(trashed, 'asset_not_found'),
          refusal(foreign, 'asset_not_found'),
        ],
      });
    const made = responses.map(({ body }) => body.results[0]);
    expect(made.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(new Set(made.map(({ delivery }) => delivery.deliveryId)).size).toBe(1);
    const [{ delivery }] = made;
    expectOnce(media, await client.waitFor(delivery.deliveryId, 'delivered'));
    const forced = await deliver([plain.assetRef], { ...fit, force: true });
    expect(forced.body.results).toMatchObject([{ isNew: true, delivery: { rendition: 'fit' } }]);
    await client.waitFor(forced.body.results[0].delivery.deliveryId, 'delivered');
  });

  it('are rejected as a whole if anything else is wrong', async () => {
    const { assetRef } = await client.newAsset();
    const cases: [unknown[], object, number, string][] = [
      [[], {}, 400, 'validation_failed'],
      [Array(101).fill(assetRef), {}, 400, 'validation_failed'],
      [[assetRef, 'x'], {}, 400, 'validation_failed'],
      [[assetRef], { surface: 'email' }, 400, 'validation_failed'],
      [[assetRef], { title: 'The same for all' }, 400, 'validation_failed'],
      [[assetRef], { targetId: UNKNOWN }, 404, 'target_not_found'],
    ];
    for (const [refs, more, status, code] of cases) expectProblem(await deliver(refs, more), status, code);
    const listed = await client.owner.get(`${client.admin}/deliveries?assetRef=${assetRef}`);
    expect(listed.body.deliveries).toEqual([]);
  });

  const refusal = ({ assetRef }: { assetRef: string }, code: string) => ({
    assetRef,
    ok: false,
    code,
    detail: expect.stringMatching(/\.$/),
  });
});

describe('A delivery that waits for its turn', () => {
  it('can be cancelled, and one that is being sent cannot', async () => {
    const reached = new Signal();
    const released = new Signal();
    media.once('upload', async () => {
      reached.fire();
      await released.wait();
    });
    const sending = await client.deliver(targetId);
    await reached.wait();
    const waiting = await client.deliver(targetId);
    const cancelled = await client.post(waiting.deliveryId, 'cancel');
    expect([cancelled.status, cancelled.body.status]).toEqual([200, 'cancelled']);
    expectProblem(await client.post(sending.deliveryId, 'cancel'), 409, 'delivery_not_cancellable');
    expectProblem(await client.post(sending.deliveryId, 'retry'), 409, 'delivery_not_retryable');
    released.fire();
    expectOnce(media, await client.waitFor(sending.deliveryId, 'delivered'));
    for (const action of ['cancel', 'retry'] as const)
      expectProblem(
        await client.post(sending.deliveryId, action),
        409,
        action === 'cancel' ? 'delivery_not_cancellable' : 'delivery_not_retryable',
      );

    expect((await client.post(waiting.deliveryId, 'retry')).body.status).toBe('queued');
    expectOnce(media, await client.waitFor(waiting.deliveryId, 'delivered'));
  });

  it('fails with the reason, and nothing is sent, when its asset or target no longer allows it', async () => {
    const doomed = await client.newTarget(media.site.target({ name: 'Doomed' }));
    const locked = await client.newTarget(media.site.target({ name: 'Locked' }));
    const release = await occupy();
    const [trashed, forbidden] = [await client.newAsset(), await client.newAsset()];
    const waiting = {
      asset_not_found: expectStatus(await client.create(trashed.assetRef, targetId), 202).deliveryId,
      surface_not_allowed: expectStatus(await client.create(forbidden.assetRef, targetId), 202).deliveryId,
    };
    expectStatus(await client.owner.delete(`${client.admin}/assets/${trashed.assetId}`), 200);
    const change = { allowedSurfaces: ['social'] };
    expectStatus(await client.owner.patch(`${client.admin}/assets/${forbidden.assetId}`, change), 200);

    // Held back until the targets have changed: another process seems to be using them.
    await query(
      service.databaseUrl,
      `INSERT INTO deliveries (id, client_id, asset_id, target_id, surface, rendition, identity, title, alt_text, caption,
           description, status, lease_id, heartbeat_at, created_by)
         SELECT gen_random_uuid(), client_id, gen_random_uuid(), id, 'website', 'original', 'original', '', '', '', '',
           'running', gen_random_uuid(), now(), 'other process' FROM targets WHERE id = ANY ($1::uuid[])`,
      [[doomed, locked]],
    );
    const inDoomed = await client.deliver(doomed);
    const inLocked = await client.deliver(locked);
    expectStatus(await client.owner.delete(`${client.admin}/targets/${doomed}`), 204);
    await query(service.databaseUrl, `UPDATE targets SET credentials = 'v1.00000000.a.b.c' WHERE id = $1`, [
      locked,
    ]);
    await query(service.databaseUrl, `DELETE FROM deliveries WHERE created_by = 'other process'`);
    const before = media.uploads;
    await release();
    for (const [code, deliveryId] of [
      ...Object.entries(waiting),
      ['target_deleted', inDoomed.deliveryId],
      ['credentials_unreadable', inLocked.deliveryId],
    ] as [string, string][]) {
      const failed = await client.waitFor(deliveryId, 'failed');
      expect(failed).toMatchObject({ attempts: 1, lastError: { code, step: 'check' }, remoteId: null });
      expect(attachmentsOf(media, deliveryId)).toEqual([]);
    }
    expect(media.uploads - before).toBe(0);
    expectProblem(
      await client.create((await client.newAsset()).assetRef, locked),
      409,
      'credentials_unreadable',
    );
    expectProblem(await client.create((await client.newAsset()).assetRef, doomed), 404, 'target_not_found');
  });
});

describe('A request for a delivery', () => {
  it('is rejected, and nothing is stored, when anything about it is wrong', async () => {
    const other = await DeliveringClient.create(service, client.owner);
    const [own, foreign] = [await client.newAsset(), await other.newAsset()];
    const social = await client.newAsset(uniqueJpeg(), { allowedSurfaces: ['social'] });
    const foreignTarget = await other.newTarget(media.site.target());
    const good = { assetRef: own.assetRef, targetId, surface: 'website' };
    const stored = () =>
      query(
        service.databaseUrl,
        `SELECT (SELECT count(*) FROM deliveries) AS deliveries, (SELECT count(*) FROM events WHERE subject_kind = 'delivery' AND actor_kind IS NOT NULL) AS events`,
      );
    const before = await stored();
    const cases: [object, number, string][] = [
      [{ ...good, assetRef: foreign.assetRef }, 404, 'asset_not_found'],
      [{ ...good, assetRef: social.assetRef }, 409, 'surface_not_allowed'],
      [{ ...good, targetId: foreignTarget }, 404, 'target_not_found'],
      [{ ...good, targetId: own.assetId }, 404, 'target_not_found'],
      [{ ...good, assetRef: own.assetRef.toUpperCase() }, 400, 'validation_failed'],
      [{ ...good, assetRef: own.assetId }, 400, 'validation_failed'],
      [{ ...good, targetId: 'x' }, 400, 'validation_failed'],
      [{ ...good, surface: 'print' }, 400, 'validation_failed'],
      [{ ...good, rendition: 'huge' }, 400, 'validation_failed'],
      [{ ...good, title: '' }, 400, 'validation_failed'],
      [{ ...good, title: 'x'.repeat(201) }, 400, 'validation_failed'],
      [{ ...good, caption: 'x'.repeat(2_001) }, 400, 'validation_failed'],
      [{ ...good, force: 'yes' }, 400, 'validation_failed'],
      [{ ...good, url: 'http://10.0.0.1/' }, 400, 'validation_failed'],
      [{}, 400, 'validation_failed'],
    ];
    for (const [body, status, code] of cases)
      expectProblem(await client.agent.post(client.path, body), status, code);
    expectProblem(await client.agent.post(other.path, good), 404, 'client_not_found');
    expect(await stored()).toEqual(before);
    expectProblem(await client.agent.get(`${client.path}/${own.assetId}`), 404, 'delivery_not_found');
    expectProblem(await client.agent.get(`${client.path}/x`), 404, 'delivery_not_found');
    const { deliveryId } = expectStatus(await client.agent.post(client.path, good), 202);
    expectProblem(await other.agent.get(`${other.path}/${deliveryId}`), 404, 'delivery_not_found');
    expectProblem(await other.post(deliveryId, 'cancel'), 404, 'delivery_not_found');
  });

  it('is found again in the list, by status, target and asset, page by page', async () => {
    const other = await DeliveringClient.create(service, client.owner);
    const site = await WordPressMediaLibrary.start();
    const targets = [
      await other.newTarget(site.site.target()),
      await other.newTarget(media.site.target({ name: 'B' })),
    ];
    const asset = await other.newAsset();
    const made: string[] = [];
    for (const target of targets) {
      made.unshift(expectStatus(await other.create(asset.assetRef, target), 202).deliveryId);
      made.unshift((await other.deliver(target)).deliveryId);
    }
    for (const id of made) await other.waitFor(id, 'delivered');
    const list = async (parameters: string) => {
      const { body } = await other.owner.get(`${other.admin}/deliveries?${parameters}`);
      return {
        ids: body.deliveries.map(({ deliveryId }: { deliveryId: string }) => deliveryId),
        next: body.nextCursor,
      };
    };
    expect((await list('')).ids).toEqual(made);
    expect((await list('status=delivered')).ids).toEqual(made);
    expect((await list('status=failed')).ids).toEqual([]);
    expect((await list(`targetId=${targets[0]}`)).ids).toEqual(made.slice(2));
    expect((await list(`assetRef=${asset.assetRef}`)).ids).toEqual([made[1], made[3]]);
    expect((await list(`assetRef=${asset.assetRef}&targetId=${targets[1]}&status=delivered`)).ids).toEqual([
      made[1],
    ]);
    const first = await list('limit=3');
    expect(first.ids).toEqual(made.slice(0, 3));
    expect((await list(`limit=3&cursor=${first.next}`)).ids).toEqual(made.slice(3));
    expectProblem(await other.owner.get(`${other.admin}/deliveries?status=lost`), 400, 'validation_failed');
    expectProblem(await other.owner.get(`${other.admin}/deliveries?assetRef=x`), 400, 'validation_failed');
    await site.site.stop();
  });
});

describe('A delivery to an HTTP endpoint', () => {
  let server: Server;
  let responses: ((request: IncomingMessage) => [number, Record<string, string>, string])[];
  const received: { headers: IncomingMessage['headers']; method: string; bytes: Buffer }[] = [];
  beforeAll(async () => {
    server = createServer((request, response) => {
      void buffer(request).then((bytes) => {
        received.push({ headers: request.headers, method: request.method!, bytes });
        const [status, headers, body] = responses.shift()?.(request) ?? [204, {}, ''];
        response.writeHead(status, headers).end(body);
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    responses = [];
  });
  afterAll(() => server.close());
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/files?x=1`;

  it('sends the stored bytes and their metadata, with one key for all attempts', async () => {
    const target = await client.newTarget({
      kind: 'http',
      name: 'Files',
      url: url(),
      method: 'PUT',
      bearerToken: 'secret-token',
    });
    received.length = 0;
    responses = [
      () => [503, { 'retry-after': '1' }, '<html>later</html>'],
      () => [
        201,
        { location: '/stored/7', 'content-type': 'application/json' },
        '{"id": 7, "url": "javascript:x"}',
      ],
    ];
    const asset = await client.newAsset(FILES.heic, { title: 'Weizen: größer' });
    const { deliveryId } = expectStatus(await client.create(asset.assetRef, target), 202);
    const delivery = await client.waitFor(deliveryId, 'delivered');
    expect(delivery).toMatchObject({
      attempts: 2,
      remoteId: '7',
      remoteUrl: new URL('/stored/7', url()).href,
    });
    expect(received).toHaveLength(2);
    for (const { method, headers, bytes } of received) {
      expect([method, sha256(bytes)]).toEqual(['PUT', sha256(FILES.heic.bytes)]);
      expect(headers).toMatchObject({
        authorization: 'Bearer secret-token',
        'content-type': 'image/heic',
        'content-length': String(FILES.heic.bytes.length),
        'content-disposition': 'attachment; filename="weizen-grosser.heic"',
        'idempotency-key': deliveryId,
        'x-asset-ref': asset.assetRef,
        'x-asset-title': 'Weizen%3A%20gr%C3%B6%C3%9Fer',
      });
    }
    expect(service.output()).not.toContain('secret-token');
  });
});

describe('A video with the position of its camera', () => {
  let endpoint: Server;
  const received: { headers: IncomingMessage['headers']; bytes: Buffer }[] = [];
  beforeAll(async () => {
    endpoint = createServer((request, response) => {
      void buffer(request).then((bytes) => {
        received.push({ headers: request.headers, bytes });
        response.writeHead(received.length === 1 ? 503 : 204, { 'retry-after': '1' }).end();
      });
    }).listen(0, '127.0.0.1');
    await once(endpoint, 'listening');
  });
  afterAll(() => endpoint.close());

  async function bytesAt(api: Api, path: string): Promise<Buffer> {
    const response = await api.fetch('GET', path);
    expect(response.status).toBe(200);
    return Buffer.from(await response.arrayBuffer());
  }

  it.each([
    ['small', 0],
    ['streamed', 3_000_000],
  ])('leaves without it, and otherwise unchanged (%s)', async (_size, paddingBytes) => {
    const bytes = locatedFilm({ paddingBytes });
    expect(traces(bytes)).toHaveLength(6);
    const film = await client.newAsset({ ...FILES.mp4, bytes });
    const port = (endpoint.address() as AddressInfo).port;
    const http = await client.newTarget({
      kind: 'http',
      name: `Files ${paddingBytes}`,
      url: `http://127.0.0.1:${port}/`,
      method: 'PUT',
      bearerToken: 'secret-token',
    });
    received.length = 0;
    const deliveries = [targetId, http].map(async (target) => {
      const { deliveryId } = expectStatus(await client.create(film.assetRef, target), 202);
      return client.waitFor(deliveryId, 'delivered');
    });
    const [toSite, toEndpoint] = await Promise.all(deliveries);
    const onSite = expectOnce(media, toSite).bytes;
    expect(toEndpoint).toMatchObject({ attempts: 2 });

    // Both attempts sent the same bytes as the site received, and the checksum is theirs.
    expect(received.map((each) => sha256(each.bytes))).toEqual([sha256(onSite), sha256(onSite)]);
    const md5 = createHash('md5').update(onSite).digest('base64');
    expect(received[0]!.headers['content-md5']).toBe(paddingBytes === 0 ? md5 : undefined);
    expect([onSite.length, traces(onSite)]).toEqual([bytes.length, []]);
    // Other texts and the pictures stay, at the same places.
    for (const kept of ['Autumn at the bakery', 'Apple', 'Main camera'])
      expect(onSite.includes(kept)).toBe(true);
    expect(mediaData(onSite).map(([start]) => start)).toEqual(mediaData(bytes).map(([start]) => start));
    expect(mediaData(onSite)[0]).toEqual(mediaData(bytes)[0]);

    const again = await client.newAsset({ ...FILES.mp4, bytes: onSite });
    for (const fact of ['width', 'height', 'durationMs', 'takenAt'])
      expect([fact, again[fact]]).toEqual([fact, film[fact]]);
    const poster = ({ assetId }: { assetId: string }) =>
      bytesAt(client.owner, `${client.admin}/assets/${assetId}/preview?size=small`);
    expect((await poster(again)).equals(await poster(film))).toBe(true);

    // Agents fetch the stored bytes.
    const content = `/agents/clients/${client.clientId}/assets/${film.assetRef}/content?surface=website`;
    expect(sha256(await bytesAt(client.agent, content))).toBe(sha256(bytes));
  });

  it('is not sent at all if its structure hides where the position is', async () => {
    const bytes = filmWith({ movie: [box('udta', xyz())], after: [box('moov', Buffer.alloc(64, 0xff))] });
    const { deliveryId } = await client.deliver(targetId, {}, { ...FILES.mp4, bytes });
    const { lastError } = await client.waitFor(deliveryId, 'failed');
    expect(lastError).toMatchObject({ code: 'location_not_removable', step: 'prepare' });
    expect(attachmentsOf(media, deliveryId)).toEqual([]);
  });
});

describe('A target that reads an upload very slowly', () => {
  it('loses it after a while, instead of occupying a slot for hours; it is retried', async () => {
    const own = await startService({
      ...QUICK_DELIVERIES,
      DELIVERY_RETRY_SECONDS: '3600',
      DELIVERY_MIN_BYTES_PER_SECOND: '50000000',
    });
    const read = async (request: IncomingMessage) => {
      for await (const chunk of request) await delay((chunk as Buffer).length / 5_000);
    };
    const server = createServer((request, response) => {
      void read(request).then(
        () => response.end(),
        () => undefined,
      );
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const sender = await DeliveringClient.create(own);
    const target = await sender.newTarget({
      kind: 'http',
      name: 'Slow',
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
      method: 'PUT',
      bearerToken: 'x',
    });
    // More than the buffers of both sides of a connection hold.
    const free = Buffer.alloc(30_000_000);
    free.writeUInt32BE(free.length);
    free.write('free', 4);
    const file = { ...FILES.mp4, bytes: Buffer.concat([FILES.mp4.bytes, free]) };
    const { deliveryId } = await sender.deliver(target, {}, file);
    await eventually(async () => {
      const { status, attempts, lastError } = await sender.get(deliveryId);
      expect([status, attempts, lastError?.code]).toEqual(['queued', 1, 'target_timeout']);
    }, 20_000);
    server.closeAllConnections();
    server.close();
    await own.stop();
  });
});

describe('Four sites that accept connections and never respond', () => {
  it('block neither renditions nor deliveries to other targets', async () => {
    const dead = await Promise.all([1, 2, 3, 4].map(() => WordPressMediaLibrary.start()));
    const stuck: string[] = [];
    for (const { site } of dead) {
      const target = await client.newTarget(site.target());
      site.settings.fault = 'hang';
      for (let count = 0; count < 3; count++) stuck.push((await client.deliver(target)).deliveryId);
    }
    await eventually(async () => {
      const running = (await Promise.all(stuck.map((id) => client.get(id)))).filter(
        ({ status }) => status === 'running',
      );
      expect(running).toHaveLength(4);
    });
    const { assetId } = await client.newAsset(FILES.mp4);
    const delivery = await client.deliver(targetId);
    expectOnce(media, await client.waitFor(delivery.deliveryId, 'delivered', 5_000));
    // A job makes the poster of a video.
    await eventually(async () => {
      const made = await query(
        service.databaseUrl,
        `SELECT 1 FROM renditions WHERE asset_id = $1 AND status = 'ready'`,
        [assetId],
      );
      expect(made.length).toBeGreaterThan(0);
    });
    const states = await Promise.all(stuck.map((id) => client.get(id)));
    expect(states.map(({ status }) => status).sort()).toEqual([
      ...Array(8).fill('queued'),
      ...Array(4).fill('running'),
    ]);
    for (const { site } of dead) await site.stop();
  });
});

describe('Targets of one client that never respond', () => {
  const SLOTS = 4;
  let slow: Service;
  let silent: Server;
  let victim: DeliveringClient;
  let noisy: DeliveringClient[];
  beforeAll(async () => {
    slow = await startService({
      ...QUICK_DELIVERIES,
      DELIVERY_CONCURRENCY: String(SLOTS),
      DELIVERY_ANSWER_SECONDS: '10',
      DELIVERY_RETRY_SECONDS: '1',
    });
    silent = createServer((request, response) => {
      if (request.method === 'HEAD') response.end();
      else request.resume();
    }).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    victim = await DeliveringClient.create(slow);
    noisy = [
      await DeliveringClient.create(slow, victim.owner),
      await DeliveringClient.create(slow, victim.owner),
    ];
  });
  afterAll(async () => {
    silent.closeAllConnections();
    silent.close();
    await slow.stop();
  });

  const deliverToSilence = async (to: DeliveringClient, targets: number) => {
    const { assetRef } = await to.newAsset();
    for (let index = 0; index < targets; index++) {
      const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/${index}`;
      const target = await to.newTarget({
        kind: 'http',
        name: `Silent ${index}`,
        url,
        method: 'PUT',
        bearerToken: 'x',
      });
      expectStatus(await to.create(assetRef, target), 202);
    }
  };
  const running = async (of: DeliveringClient) =>
    (await of.owner.get(`${of.admin}/deliveries?status=running`)).body.deliveries.length as number;

  it('use all slots but one, which is always left for the deliveries of others', async () => {
    const target = await victim.newTarget(media.site.target({ name: 'Responsive' }));
    await deliverToSilence(noisy[0]!, 2 * SLOTS);
    await eventually(async () => expect(await running(noisy[0]!)).toBe(SLOTS - 1));
    for (let count = 0; count < 3; count++) {
      const { deliveryId } = await victim.deliver(target);
      expectOnce(media, await victim.waitFor(deliveryId, 'delivered', 3_000));
    }
    // Some may be between two attempts.
    await eventually(async () => expect(await running(noisy[0]!)).toBe(SLOTS - 1));
  });

  it('do not keep slots from a third client that waits while two clients use them all', async () => {
    const target = await victim.newTarget(media.site.target({ name: 'Responsive too' }));
    await deliverToSilence(noisy[1]!, 2 * SLOTS);
    await eventually(async () => expect(await running(noisy[1]!)).toBeGreaterThan(0));
    // Dozens of attempts were queued before this one; it takes the next slot that is released.
    const { deliveryId } = await victim.deliver(target);
    expectOnce(media, await victim.waitFor(deliveryId, 'delivered', 12_000));
  });
});
