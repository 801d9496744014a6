import type { AccessChanges } from '../database/access-changes.js';
import { CallerCache } from './caller-cache.js';
import type { ActiveCaller, Principal } from '../access/principal.js';

describe('CallerCache', () => {
  const changes: { version: number | null } = { version: 1 };
  let cache: CallerCache;
  let lookups: number;
  beforeEach(() => {
    changes.version = 1;
    cache = new CallerCache(changes as AccessChanges);
    lookups = 0;
  });
  afterEach(() => jest.restoreAllMocks());

  const caller = (name: string, secondsLeft = Infinity): ActiveCaller => ({
    principal: { name } as Principal,
    secondsLeft,
  });
  const find = (key: string, found: ActiveCaller | null = caller(key)) =>
    cache.find(key, () => {
      lookups++;
      return Promise.resolve(found);
    });

  it('looks up each caller once', async () => {
    for (const key of ['a', 'b', 'a', 'b']) expect(await find(key)).toEqual({ name: key });
    expect(lookups).toBe(2);
  });

  it('does not cache callers that were not found', async () => {
    expect(await find('a', null)).toBeNull();
    expect(await find('a')).toEqual({ name: 'a' });
    expect(lookups).toBe(2);
  });

  it('drops everything after a change, and caches nothing while changes go unnoticed', async () => {
    await find('a');
    changes.version = 2;
    await find('a');
    changes.version = null;
    await find('a');
    await find('a');
    expect(lookups).toBe(4);
  });

  it('takes a change into account that arrives together with requests, for each of them', async () => {
    await find('a');
    await find('b');
    const changeSoon = (version: number) => process.nextTick(() => (changes.version = version));
    const together = Promise.all([find('a'), find('b')]);
    changeSoon(2);
    await together;
    expect(lookups).toBe(4);

    const afterwards = find('a');
    changeSoon(3);
    await afterwards;
    expect(lookups).toBe(5);
  });

  it('does not cache a result that a concurrent change made outdated', async () => {
    await cache.find('a', () => {
      changes.version = 2;
      return Promise.resolve(caller('before the change'));
    });
    expect(await find('a')).toEqual({ name: 'a' });
  });

  it.each([
    ['five seconds', Infinity, 5_000],
    ['the end of the sign-in, token or key', 1.5, 1_500],
  ])('caches a caller no longer than %s', async (_what, secondsLeft, ms) => {
    const now = jest.spyOn(performance, 'now').mockReturnValue(100);
    await find('a', caller('a', secondsLeft));
    now.mockReturnValue(100 + ms - 1);
    await find('a');
    expect(lookups).toBe(1);
    now.mockReturnValue(100 + ms);
    await find('a');
    expect(lookups).toBe(2);
  });

  it('limits the number of cached callers', async () => {
    for (let index = 0; index <= 10_000; index++) await find(`caller ${index}`);
    expect((cache as unknown as { callers: Map<string, unknown> }).callers.size).toBeLessThanOrEqual(10_000);
  });
});
