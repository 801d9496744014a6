import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent } from '../support/api/agents.js';
import type { ApiResponse } from '../support/api/api.js';
import { attachmentsOf, DeliveringClient, expectOnce, QUICK_DELIVERIES } from '../support/api/deliveries.js';
import { eventually, Signal } from '../support/eventually.js';
import { query, type Service, startService } from '../support/services/service.js';
import { expectStatus } from '../support/api/uploads.js';
import { type UploadFault, WordPressMediaLibrary } from '../support/wordpress/wordpress-media.js';
import { drain, SITE_USER, type WordPressSettings } from '../support/wordpress/wordpress-site.js';

let service: Service;
let client: DeliveringClient;
let agent: Agent;
const sites: WordPressMediaLibrary[] = [];
beforeAll(async () => {
  service = await startService({ ...QUICK_DELIVERIES, DELIVERY_RETRY_SECONDS: '240,1' });
  client = await DeliveringClient.create(service);
  agent = new Agent(client.agent, `/agents/clients/${client.clientId}`);
});
afterAll(async () => {
  await service.stop();
  await Promise.all(sites.map(({ site }) => site.stop()));
});

/** A connected site, which then changes. */
async function siteWith(settings: Partial<WordPressSettings> = {}, ...faults: UploadFault[]) {
  const media = await WordPressMediaLibrary.start();
  sites.push(media);
  const targetId = await client.newTarget(media.site.target());
  Object.assign(media.site.settings, settings);
  media.failUploads(...faults);
  return { media, targetId };
}

const targetOf = async (targetId: string) =>
  expectStatus(await client.owner.get(`${client.admin}/targets/${targetId}`), 200);

/** Waits until the first attempt has ended. */
async function afterFirstAttempt(deliveryId: string): Promise<ApiResponse['body']> {
  return eventually(async () => {
    const delivery = await client.get(deliveryId);
    expect(delivery.lastError).not.toBeNull();
    return delivery;
  });
}

const SIZE = /The file is \d+ (bytes|KB)\./;
const NEVER_AGAIN = /It will not be retried automatically\.$/;

describe('The error of a delivery', () => {
  it.each<[string, Partial<WordPressSettings>, UploadFault[], string, RegExp[]]>([
    [
      'a revoked application password',
      { fault: 'authorization_dropped' },
      [],
      'credentials_refused',
      [/does not accept the credentials/, /application password .* revoked/, /Enter new credentials/],
    ],
    [
      'a user who may no longer upload',
      { role: 'subscriber' },
      [],
      'upload_not_permitted',
      [/role .* such as Author/],
    ],
    ['a firewall', { fault: 'firewall' }, [], 'upload_not_permitted', [/firewall or security plugin/]],
    ['post_max_size', {}, ['post_max_size'], 'file_too_large_for_target', [SIZE, /post_max_size/]],
    [
      'upload_max_filesize',
      {},
      ['upload_max_filesize'],
      'file_too_large_for_target',
      [SIZE, /upload_max_filesize/],
    ],
    ['the web server', {}, ['too_large_413'], 'file_too_large_for_target', [SIZE]],
    [
      'the limit of a network of sites',
      {},
      ['network_limit'],
      'file_too_large_for_target',
      [SIZE, /“This file is too big\. Files must be less than 1500 KB in size”\./],
    ],
  ])(
    'names %s, and says what to do and that nothing follows',
    async (_what, settings, faults, code, said) => {
      const { targetId } = await siteWith(settings, ...faults);
      const { deliveryId } = await client.deliver(targetId);
      const failed = await client.waitFor(deliveryId, 'failed');
      expect(failed).toMatchObject({ attempts: 1, lastError: { code }, nextAttemptAt: null });
      const { detail } = failed.lastError;
      for (const part of [...said, NEVER_AGAIN]) expect(detail).toMatch(part);
      // What the site says about these is about something else.
      expect(detail).not.toMatch(/create posts|Content-Disposition/);
    },
  );

  it('says when the next attempt follows, to people and to models', async () => {
    const { targetId } = await siteWith({}, 'type_refused');
    const before = Date.now();
    const { deliveryId, nextAttemptAt } = await client.deliver(targetId);
    expect(Math.abs(Date.parse(nextAttemptAt) - before)).toBeLessThan(10_000);
    const waiting = await afterFirstAttempt(deliveryId);
    expect(waiting).toMatchObject({ status: 'queued', lastError: { code: 'upload_refused_by_target' } });
    expect(waiting.lastError.detail).toMatch(/It will be retried automatically\.$/);
    const seconds = (Date.parse(waiting.nextAttemptAt) - before) / 1_000;
    expect(seconds).toBeGreaterThan(235);
    expect(seconds).toBeLessThan(250);
    const { json } = await agent.tool('get_deliveries', { deliveryIds: [deliveryId] });
    expect(json.deliveries).toEqual([
      expect.objectContaining({ state: 'queued', nextAttemptAt: waiting.nextAttemptAt }),
    ]);
    const { body } = await client.owner.get(`${client.admin}/deliveries?targetId=${targetId}`);
    expect(body.deliveries).toEqual([waiting]);

    await client.post(deliveryId, 'cancel');
    const cancelled = await client.get(deliveryId);
    expect(cancelled).toMatchObject({ status: 'cancelled', nextAttemptAt: null });
    expect(cancelled.lastError.detail).not.toMatch(/retried automatically/);
    const retried = expectStatus(await client.post(deliveryId, 'retry'), 202);
    expect(Date.parse(retried.nextAttemptAt)).toBeLessThan(Date.now() + 10_000);
    const arrived = await client.waitFor(deliveryId, 'delivered');
    expect(arrived).toMatchObject({ nextAttemptAt: null, lastError: null });
  });
});

describe('A site that has changed to plain permalinks', () => {
  it.each([
    ['still passes every path to WordPress, which responds with its home page', true],
    ['no longer knows the address of the REST API', false],
  ])('receives the file if it %s', async (_what, rewriting) => {
    const { media, targetId } = await siteWith({ permalinks: 'plain', rewriting });
    const { deliveryId } = await client.deliver(targetId);
    const delivered = await client.waitFor(deliveryId, 'delivered');
    expect(delivered).toMatchObject({ attempts: 1, lastError: null });
    expectOnce(media, delivered);

    // Found once: the next delivery goes there directly.
    media.site.requests.length = 0;
    expectOnce(media, await client.waitFor((await client.deliver(targetId)).deliveryId, 'delivered'));
    expect(media.site.requests.every(({ url }) => url.includes('rest_route='))).toBe(true);
  });

  it('receives the file once if it changed while the response to an upload was lost', async () => {
    const { media, targetId } = await siteWith({}, 'cut_after');
    media.once('stored', () => void (media.site.settings.permalinks = 'plain'));
    const { deliveryId } = await client.deliver(targetId);
    expect((await afterFirstAttempt(deliveryId)).status).toBe('queued');
    await query(service.databaseUrl, 'UPDATE deliveries SET is_ambiguous = false WHERE id = $1', [
      deliveryId,
    ]);
    await client.post(deliveryId, 'retry');
    expectOnce(media, await client.waitFor(deliveryId, 'delivered'));
    expect(media.uploads).toBe(1);
  });

  it('and hides its REST API fails at once, with the reason', async () => {
    const { media, targetId } = await siteWith({ permalinks: 'plain', linkInPage: false });
    const { deliveryId } = await client.deliver(targetId);
    const failed = await client.waitFor(deliveryId, 'failed');
    expect(failed).toMatchObject({ attempts: 1, lastError: { code: 'target_rest_api_missing' } });
    expect(failed.lastError.detail).toMatch(/REST API.*Verify the destination/);
    expect(failed.lastError.detail).toMatch(NEVER_AGAIN);
    expect(attachmentsOf(media, deliveryId)).toEqual([]);
    expect(await targetOf(targetId)).toMatchObject({ state: 'error' });
  });

  it('and is down when its REST API is looked for is tried again', async () => {
    const { media, targetId } = await siteWith({ permalinks: 'plain' });
    media.site.once('page', () => void (media.site.settings.fault = 'maintenance'));
    const { deliveryId } = await client.deliver(targetId);
    expect(await afterFirstAttempt(deliveryId)).toMatchObject({ status: 'queued' });
    expect(await targetOf(targetId)).toMatchObject({ state: 'connected' });
  });
});

describe('The state of a target', () => {
  const listed = async (targetId: string) => {
    const { json } = await agent.tool('list_clients', {});
    return json.clients[0].targets.find((target: { targetId: string }) => target.targetId === targetId);
  };

  it.each<[string, Partial<WordPressSettings>, RegExp]>([
    ['credentials', { fault: 'authorization_dropped' }, /does not accept the credentials/],
    ['the upload', { role: 'subscriber' }, /does not allow the upload/],
    ['every caller without its password', { fault: 'staging' }, /protected with a password/],
    ['its old address', { redirectTo: 'http://127.0.0.2:8080' }, /redirects/],
  ])(
    'becomes error when the site refuses %s, and everybody sees the reason',
    async (_what, settings, reason) => {
      const { media, targetId } = await siteWith(settings);
      const before = await targetOf(targetId);
      const { deliveryId } = await client.deliver(targetId);
      await client.waitFor(deliveryId, 'failed');
      const broken = await targetOf(targetId);
      expect(broken).toMatchObject({ state: 'error', detail: expect.stringMatching(reason) });
      expect(broken.lastVerifiedAt).toBe(before.lastVerifiedAt);
      expect(broken.detail).not.toMatch(/retr(y|ied)/);
      expect(await listed(targetId)).toMatchObject({ state: 'error', detail: broken.detail });
      const { body: record } = await client.owner.get(`/admin/clients/${client.clientId}`);
      expect(record.integrations).toContainEqual(
        expect.objectContaining({ name: broken.name, state: 'error', detail: broken.detail }),
      );
      const { assetRef } = await client.newAsset();
      const { json } = await agent.tool('deliver_assets', {
        targetId,
        assetRefs: [assetRef],
        surface: 'website',
      });
      expect(json.warning).toContain(broken.detail);
      await client.waitFor(json.deliveries[0].deliveryId, 'failed');

      // Once it works again, so does the target.
      Object.assign(media.site.settings, { fault: null, role: 'author', redirectTo: null });
      expect((await client.post(deliveryId, 'retry')).status).toBe(202);
      await client.waitFor(deliveryId, 'delivered');
      expect(await targetOf(targetId)).toMatchObject({ state: 'connected', detail: null });
      expect(await listed(targetId)).not.toHaveProperty('detail');
      const { body: audit } = await client.owner.get(`${client.admin}/audit`);
      const changes = audit.events.filter(
        ({ action, subjectId }: Record<string, string>) =>
          action === 'target.state' && subjectId === targetId,
      );
      // Only changes, not every delivery.
      expect(changes.map(({ before, after, actor }: any) => [before, after.state, actor.kind])).toEqual([
        [{ state: 'error' }, 'connected', 'system'],
        [{ state: 'connected' }, 'error', 'system'],
      ]);
    },
  );

  it('is set back by a verification', async () => {
    const { media, targetId } = await siteWith({ role: 'subscriber' });
    await client.waitFor((await client.deliver(targetId)).deliveryId, 'failed');
    expect(await targetOf(targetId)).toMatchObject({ state: 'error' });
    media.site.settings.role = 'author';
    await client.owner.post(`${client.admin}/targets/${targetId}/verify`);
    expect(await targetOf(targetId)).toMatchObject({ state: 'connected', detail: null });
  });

  it('does not change for failures that are about one file, or pass', async () => {
    const { targetId } = await siteWith({}, 'too_large_413', 'maintenance_503');
    await client.waitFor((await client.deliver(targetId)).deliveryId, 'failed');
    await afterFirstAttempt((await client.deliver(targetId)).deliveryId);
    expect(await targetOf(targetId)).toMatchObject({ state: 'connected', detail: null });
  });

  it('does not change for credentials that have been replaced during the attempt', async () => {
    const { media, targetId } = await siteWith({ fault: 'authorization_dropped' });
    const [reached, released] = [new Signal(), new Signal()];
    media.once('upload_received', async () => {
      reached.fire();
      await released.wait();
    });
    const { deliveryId } = await client.deliver(targetId);
    await reached.wait();
    media.site.settings.fault = null;
    const change = { applicationPassword: SITE_USER.applicationPassword };
    expectStatus(await client.owner.patch(`${client.admin}/targets/${targetId}`, change), 200);
    media.site.settings.fault = 'authorization_dropped';
    released.fire();
    media.failUploads();
    await client.waitFor(deliveryId, 'failed');
    expect(await targetOf(targetId)).toMatchObject({ state: 'connected', detail: null });
  });

  it('also follows an HTTP endpoint', async () => {
    let status = 401;
    const server = createServer((request, response) => {
      void drain(request).then(() => response.writeHead(request.method === 'HEAD' ? 200 : status).end());
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const targetId = await client.newTarget({ kind: 'http', name: 'Endpoint', url, method: 'PUT' });
    const failed = await client.waitFor((await client.deliver(targetId)).deliveryId, 'failed');
    expect(failed.lastError.detail).not.toMatch(/application password/);
    expect(await targetOf(targetId)).toMatchObject({ state: 'error' });
    status = 204;
    await client.waitFor((await client.deliver(targetId)).deliveryId, 'delivered');
    expect(await targetOf(targetId)).toMatchObject({ state: 'connected', detail: null });
    server.close();
  });
});
