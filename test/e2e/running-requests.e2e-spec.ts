import { setTimeout as delay } from 'node:timers/promises';
import { open } from '../support/api/download.js';
import { type LibraryService, newLibrary, sharedLibrary } from '../support/api/library.js';
import { newKey, newPerson } from '../support/api/people.js';
import { seedFiles } from '../support/database/seed-assets.js';
import { seedDelivery, seedTarget } from '../support/database/seed-deliveries.js';

/** More than the buffers of a connection hold. */
const BYTES = 40_000_000;
/** After this, a request counts as long and has been checked, even on a busy machine. */
const CHECKED_MS = 12_000;

let running: LibraryService;
let assetId: string;
let library: string;
beforeAll(async () => {
  running = await sharedLibrary();
  library = `/admin/clients/${running.clientId}/assets`;
  const file = { bytes: Buffer.alloc(BYTES, 'x'), mimeType: 'video/mp4', originalFilename: 'film.mp4' };
  const [seeded] = await seedFiles(running.service, running.clientId, [file]);
  assetId = seeded!.assetId;
});

const viewerKey = () => newKey(running.owner, { role: 'viewer', clientIds: [running.clientId] });

/** Reads the beginning of a response, and the rest after `change` has taken effect. Returns whether it was complete. */
async function readAcross(path: string, token: string, change: () => Promise<unknown>): Promise<boolean> {
  const response = await open(running.service.url + path, token);
  expect(response.statusCode).toBe(200);
  const ended = new Promise((resolve) => response.once('close', resolve));
  response.on('error', () => undefined).once('data', () => response.pause());
  await change();
  await delay(CHECKED_MS);
  response.resume();
  await ended;
  return response.complete;
}

async function withoutKey(path: string): Promise<boolean> {
  const { key, keyId } = await viewerKey();
  return readAcross(path, key, () => running.owner.delete(`/admin/api-keys/${keyId}`));
}

async function withChangedUser(change: object): Promise<boolean> {
  const grant = { role: 'viewer', clientIds: [running.clientId] };
  const { userId, email, password } = await newPerson(running.owner, grant);
  const { body } = await running.service.api.post('/auth/login', { email, password });
  return readAcross(`${library}/${assetId}/download`, body.accessToken as string, async () => {
    const { status } = await running.owner.patch(`/admin/users/${userId}`, change);
    expect(status).toBe(200);
  });
}

describe('A download', () => {
  it('is aborted when its caller loses access, and goes on for everybody else', async () => {
    const { clientId: otherClient } = await newLibrary(running.owner);
    const { key } = await viewerKey();
    const complete = await Promise.all([
      withoutKey(`${library}/folders/download`),
      withoutKey(`${library}/${assetId}/download`),
      withChangedUser({ isActive: false }),
      withChangedUser({ role: 'client_viewer' }),
      withChangedUser({ clientIds: [otherClient] }),
      withChangedUser({ name: 'Another name' }),
      readAcross(`${library}/folders/download`, key, () => Promise.resolve()),
    ]);
    expect(complete).toEqual([false, false, false, false, false, true, true]);
  }, 120_000);
});

describe('A tool that waits', () => {
  it('is aborted when the key is revoked', async () => {
    const { databaseUrl, api } = running.service;
    const target = await seedTarget(databaseUrl, running.clientId);
    const scope = { clientId: running.clientId, assetId, targetId: target };
    const deliveryId = await seedDelivery(databaseUrl, { ...scope, status: 'queued' });
    const { key, keyId } = await newKey(running.owner, { role: 'agent', clientIds: [running.clientId] });
    const params = { name: 'get_deliveries', arguments: { deliveryIds: [deliveryId], waitSeconds: 25 } };
    const call = api.as(key).post(
      '/agents/mcp',
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
      {
        accept: 'application/json, text/event-stream',
      },
    );
    const outcome = Promise.race([
      call.then(
        () => 'a response',
        () => 'aborted',
      ),
      delay(20_000, 'still waiting'),
    ]);
    await delay(500);
    await running.owner.delete(`/admin/api-keys/${keyId}`);
    expect(await outcome).toBe('aborted');
  }, 60_000);
});
