import { inNaturalOrder, naturalKey } from './natural-order.js';

const sorted = (names: string[]) => inNaturalOrder(names, (name) => name);

describe('inNaturalOrder', () => {
  it.each([
    ['numbers by their value', ['1', '2', '10', '11', '100']],
    ['numbers within names', ['IMG 9', 'IMG 10', 'IMG 10 b2', 'IMG 10 b10']],
    ['names without regard to case and accents', ['Äpfel 2', 'apfel 10', 'Birne', 'Élan', 'Zebra']],
    ['numbers before letters', ['Shoot 2', 'Shoot a']],
    ['leading zeros in a fixed order', ['002', '02', '2', '03', '3']],
    ['numbers with up to 16 digits', ['9', '9999999999999998', '9999999999999999']],
  ])('sorts %s', (_what, names) => {
    expect(sorted(names)).toEqual(names);
    expect(sorted(names.toReversed())).toEqual(names);
  });
});

describe('naturalKey', () => {
  it.each(['1'.repeat(200), '1a'.repeat(250), '\u{fdfa}'.repeat(200), '\u{1f600}9'.repeat(200)])(
    'is bounded for %.8s…',
    (text) => {
      expect([...naturalKey(text)].length).toBeLessThanOrEqual(500);
      expect(naturalKey(text).isWellFormed()).toBe(true);
    },
  );
});
