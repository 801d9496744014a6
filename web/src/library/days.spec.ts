import { addDays, dayOf, daysBetween, daysOf, instantsOf, rangeOf } from './days';

describe('Days', () => {
  it.each(['today', 'last30days', '2026-11-10..2026-11-17', '2026-11-10..', '..2026-11-17'])(
    'keeps %s as it is in an address',
    (days) => expect(daysOf(days)).toBe(days),
  );

  it.each([
    '',
    '..',
    'tomorrow',
    '2026-11-17',
    '2026-02-30..',
    '0026-11-17..',
    '1..2',
    'a..b',
    '..2026-01-01..',
    7,
  ])('ignores %p', (value) => expect(daysOf(value)).toBeUndefined());

  it('exchanges the ends of an inverted range', () => {
    expect(daysBetween({ from: '2026-11-17', to: '2026-11-10' })).toBe('2026-11-10..2026-11-17');
  });

  it('counts the day itself among the last days', () => {
    expect(rangeOf('last7days', '2026-03-03')).toEqual({ from: '2026-02-25', to: '2026-03-03' });
    expect(rangeOf('yesterday', '2026-01-01')).toEqual({ from: '2025-12-31', to: '2025-12-31' });
    expect(rangeOf('2026-11-10..', '2026-12-01')).toEqual({ from: '2026-11-10' });
  });

  it('ends a range with the midnight after its last day', () => {
    const { from, to } = instantsOf('2026-11-16..2026-11-17');
    expect(new Date(from!).toString()).toContain('Nov 16 2026 00:00:00');
    expect(new Date(to!).toString()).toContain('Nov 18 2026 00:00:00');
    expect(instantsOf('..2026-11-17').from).toBeUndefined();
    expect(instantsOf(undefined)).toEqual({});
  });

  it('goes from day to day over a whole year, whatever the length of a day', () => {
    let day = '2026-01-01';
    for (let n = 0; n < 365; n++) day = addDays(day, 1);
    expect(day).toBe('2027-01-01');
    expect(dayOf(new Date(2026, 2, 29, 23, 59))).toBe('2026-03-29');
  });
});
