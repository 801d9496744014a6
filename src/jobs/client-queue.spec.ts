import { clientQueue } from './client-queue.js';

describe('The queue of a client', () => {
  it('is always the same, and another one for another kind of job', () => {
    expect(clientQueue('purge', 'demo')).toBe(clientQueue('purge', 'demo'));
    expect(clientQueue('purge', 'demo')).not.toBe(clientQueue('render', 'demo'));
  });

  it('is one of a fixed number, which clients share evenly', () => {
    const clients = new Map<string, number>();
    for (let index = 0; index < 6_400; index += 1) {
      const queue = clientQueue('purge', `client-${index}`);
      clients.set(queue, (clients.get(queue) ?? 0) + 1);
    }
    expect(clients.size).toBe(64);
    expect(Math.max(...clients.values())).toBeLessThan(200);
  });
});
