import { DeliverySlots } from './delivery-slots.js';

describe('DeliverySlots', () => {
  it('leaves the last slot for the other clients', () => {
    const slots = new DeliverySlots(3);
    slots.use('a');
    expect(slots.fullClients).toEqual([]);
    slots.use('a');
    expect([slots.areFree, slots.fullClients]).toEqual([true, ['a']]);
    slots.use('b');
    expect([slots.areFree, slots.fullClients]).toEqual([false, ['a']]);
    slots.release('a');
    expect([slots.areFree, slots.fullClients]).toEqual([true, []]);
  });

  it('gives a single slot to any client', () => {
    const slots = new DeliverySlots(1);
    expect([slots.areFree, slots.fullClients]).toEqual([true, []]);
    slots.use('a');
    expect(slots.areFree).toBe(false);
    slots.release('a');
    expect([slots.areFree, slots.fullClients]).toEqual([true, []]);
  });

  it('knows whose turn was the latest', () => {
    const slots = new DeliverySlots(9);
    for (const clientId of ['a', 'b', 'c', 'a']) slots.use(clientId);
    expect(slots.recentClients).toEqual(['b', 'c', 'a']);
  });
});
