import { randomUUID } from 'node:crypto';
import type { ClientScope, Principal } from '../../../access/principal.js';
import type { DeliveriesService } from '../../../deliveries/deliveries.service.js';
import type { TargetsService } from '../../../targets/targets.service.js';
import { DeliveryTools } from './delivery.tools.js';

const DELIVERY = { id: 'd', assetId: randomUUID(), remoteId: null, remoteUrl: null, errorCode: null };

function toolsOver(deliveries: Pick<DeliveriesService, 'findMany'>) {
  const { tools } = new DeliveryTools(deliveries as DeliveriesService, {} as TargetsService);
  const tool = tools.find(({ name }) => name === 'get_deliveries')!;
  return (callerId: string, signal = new AbortController().signal) =>
    tool.run(
      { deliveryIds: [DELIVERY.id], waitSeconds: 20 },
      { caller: { id: callerId } as Principal, signal, scopeOf: () => Promise.resolve({} as ClientScope) },
    );
}

describe('Waiting for deliveries', () => {
  it('is possible for four calls of a caller at the same time; a fifth returns without waiting', async () => {
    const running = { ...DELIVERY, status: 'running' } as never;
    const getDeliveries = toolsOver({ findMany: () => Promise.resolve([running]) });
    const end = new AbortController();
    let waiting = 0;
    const wait = (caller: string) => {
      waiting += 1;
      return getDeliveries(caller, end.signal).finally(() => (waiting -= 1));
    };
    const started = Array.from({ length: 4 }, () => wait('a'));
    expect(await wait('a')).toMatchObject({ deliveries: [{ state: 'running' }] });
    started.push(wait('b'));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(waiting).toBe(5);
    end.abort();
    await Promise.all(started);
    const next = new AbortController();
    const again = getDeliveries('a', next.signal);
    await expect(Promise.race([again, Promise.resolve('waiting')])).resolves.toBe('waiting');
    next.abort();
    await again;
  });

  it('passes on errors', async () => {
    let looks = 0;
    const getDeliveries = toolsOver({
      findMany: () =>
        (looks += 1) === 1
          ? Promise.resolve([{ ...DELIVERY, status: 'queued' } as never])
          : Promise.reject(new Error('the database is gone')),
    });
    await expect(getDeliveries('a')).rejects.toThrow('the database is gone');
  });
});
