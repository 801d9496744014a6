import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { DeliveringClient, QUICK_DELIVERIES } from '../support/api/deliveries.js';
import { Signal } from '../support/eventually.js';
import { FaultyService } from '../support/faults/faulty-service.js';
import { query } from '../support/services/service.js';

const OTHER = '0198a3c4-7b1e-7cc0-8f5e-2f5d1c9a7b10';

describe('An attempt to deliver whose lease another worker has taken', () => {
  let faulty: FaultyService;
  let client: DeliveringClient;
  let target: string;
  let respond: (response: ServerResponse) => Promise<void> | void;
  const server = createServer((request, response) => {
    request.resume();
    if (request.method === 'HEAD') response.end();
    else request.on('end', () => void respond(response));
  });

  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const settings = { DELIVERY_LEASE_SECONDS: '6', DELIVERY_ANSWER_SECONDS: '60' };
    faulty = await FaultyService.start({ ...QUICK_DELIVERIES, ...settings });
    client = await DeliveringClient.create(faulty.service);
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/files`;
    target = await client.newTarget({ kind: 'http', name: 'Files', url, method: 'PUT' });
  });
  afterAll(async () => {
    await faulty.close();
    server.close();
    server.closeAllConnections();
  });

  /** The other worker keeps it. */
  const takeLease = () =>
    query(
      faulty.databaseUrl,
      `UPDATE deliveries SET lease_id = $1, heartbeat_at = now() + interval '1 hour' WHERE status = 'running'`,
      [OTHER],
    );
  const expectUntouched = async (deliveryId: string) => {
    // Longer than the attempt needs to notice, or to record something.
    await delay(3_000);
    const [delivery] = await query(
      faulty.databaseUrl,
      `SELECT status, lease_id, failures, remote_id, error_code,
           (SELECT count(*)::int FROM usages WHERE external_id = deliveries.id::text) AS usages
         FROM deliveries WHERE id = $1`,
      [deliveryId],
    );
    const untouched = { status: 'running', lease_id: OTHER, failures: 0, remote_id: null, error_code: null };
    expect(delivery).toEqual({ ...untouched, usages: 0 });
    // The target is free again.
    await query(faulty.databaseUrl, 'DELETE FROM deliveries WHERE id = $1', [deliveryId]);
  };

  it('sends nothing', async () => {
    let requests = 0;
    respond = (response) => {
      requests += 1;
      response.end();
    };
    const before = async () => void (await takeLease());
    faulty.database.on({ statement: /SET is_sending = true/ }, { before });
    const { deliveryId } = await client.deliver(target);
    await expectUntouched(deliveryId as string);
    expect(requests).toBe(0);
  });

  it.each([201, 403, 503])('records nothing when the target responds with %i', async (status) => {
    respond = async (response) => {
      await takeLease();
      response.writeHead(status).end('{"id": "7"}');
    };
    const { deliveryId } = await client.deliver(target);
    await expectUntouched(deliveryId as string);
  });

  it('stops sending', async () => {
    const closed = new Signal();
    respond = async (response) => {
      response.once('close', () => closed.fire());
      await takeLease();
    };
    const { deliveryId } = await client.deliver(target);
    await closed.wait('the end of the connection', 20_000);
    await expectUntouched(deliveryId as string);
  });
});
