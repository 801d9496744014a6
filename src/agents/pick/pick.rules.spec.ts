import { rank, type Rankable } from './pick.rules.js';

const asset = (change: Partial<Rankable> = {}): Rankable => ({
  id: '0198a3c4-7b1e-7cc0-8f5e-2f5d1c9a7b10',
  title: 'Untitled',
  description: '',
  altText: '',
  tags: [],
  originalFilename: 'file.jpg',
  createdAt: new Date('2026-01-01'),
  verdict: 'ready',
  lastUsedDays: null,
  ...change,
});

const scoreOf = async (change: Partial<Rankable>, text?: string) =>
  (await rank([asset(change)], { surface: 'social', ...(text ? { text } : {}) }))[0]!.score;

describe('rank', () => {
  it('scores words by the field they are found in, and less inside a longer word', async () => {
    const changes = [
      { title: 'The storefront' },
      { tags: ['storefront'] },
      { altText: 'A storefront' },
      { description: 'Storefront at dawn' },
      { originalFilename: 'storefront_01.jpg' },
      { title: 'Storefronts' },
      { title: 'Something else' },
    ];
    const scores = await Promise.all(changes.map((change) => scoreOf(change, 'Storefront')));
    expect(scores).toEqual([100, 93, 86, 86, 79, 86, 30]);
  });

  it('finds words like the search: ignoring case, accents, punctuation and file extensions', async () => {
    expect(await scoreOf({ title: 'Café_Été-01' }, 'cafe ete')).toBe(100);
    expect(await scoreOf({ originalFilename: 'dawn.jpg' }, 'jpg')).toBe(30);
    // Short words only match at the beginning of words.
    expect(await scoreOf({ title: 'Cafe' }, 'ca')).toBe(86);
    expect(await scoreOf({ title: 'Cafe' }, 'fe')).toBe(30);
  });

  it('ranks assets with all words before those with some', async () => {
    const all = { originalFilename: 'storefront dawn.jpg' };
    const some = { title: 'Storefront' };
    expect(await scoreOf(all, 'storefront dawn')).toBeGreaterThan(await scoreOf(some, 'storefront dawn'));
  });

  it('prefers what was never used, then what was used long ago', async () => {
    const days = [null, 400, 365, 364, 90, 30, 29, 0];
    const scores = await Promise.all(days.map((lastUsedDays) => scoreOf({ lastUsedDays })));
    expect(scores).toEqual([30, 27, 27, 23, 23, 19, 15, 15]);
  });

  it('prefers what is ready to what can be fixed, and puts what is blocked last', async () => {
    const verdicts = ['ready', 'fixable', 'blocked'] as const;
    expect(await Promise.all(verdicts.map((verdict) => scoreOf({ verdict })))).toEqual([30, 23, -85]);
    expect(await scoreOf({ title: 'Dawn', verdict: 'blocked' }, 'dawn')).toBeLessThan(0);
  });

  it('puts newer assets first if scores are equal, whatever their order', async () => {
    const ids = ['a', 'b', 'c'].map((letter) => `0198a3c4-7b1e-7cc0-8f5e-2f5d1c9a7b1${letter}`);
    const assets = [
      asset({ id: ids[0], createdAt: new Date('2026-01-02') }),
      asset({ id: ids[1], createdAt: new Date('2026-01-01') }),
      asset({ id: ids[2], createdAt: new Date('2026-01-01') }),
    ];
    const expected = [ids[0], ids[2], ids[1]];
    for (const given of [assets, [...assets].reverse(), [assets[1]!, assets[0]!, assets[2]!]])
      expect((await rank(given, { surface: 'social' })).map(({ id }) => id)).toEqual(expected);
  });

  it('explains the score in words', async () => {
    const wish = { surface: 'gbp', text: 'Storefront night', tags: ['autumn'] } as const;
    const reasonsOf = async (change: Partial<Rankable>) => (await rank([asset(change)], wish))[0]!.reasons;
    expect(await reasonsOf({ title: 'Storefront', tags: ['autumn'] })).toEqual([
      "matches 'storefront'",
      "does not match 'night'",
      "tagged 'autumn'",
      'never used on gbp',
      'ready',
    ]);
    expect((await reasonsOf({ lastUsedDays: 1, verdict: 'fixable' })).slice(-2)).toEqual([
      'last used on gbp 1 day ago',
      'fixable: use the rendition fit',
    ]);
    expect((await reasonsOf({ lastUsedDays: 0, verdict: 'blocked' })).slice(-2)).toEqual([
      'last used on gbp within a day',
      'blocked: violates limits of the surface',
    ]);
  });

  it('lets other work run in between, and normalizes each text once, whatever the texts', async () => {
    const worst = {
      title: '\uFDFA'.repeat(200),
      altText: '\uFDFA'.repeat(2000),
      description: '\uFDFA'.repeat(2000),
    };
    const normalize = jest.spyOn(String.prototype, 'normalize');
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns++;
      if (!isDone) setImmediate(count);
    };
    count();
    const text = Array.from({ length: 10 }, (_, n) => `word${n}`).join(' ');
    const ranked = await rank(
      Array.from({ length: 50 }, () => asset(worst)),
      { surface: 'social', text },
    );
    isDone = true;
    expect(ranked).toHaveLength(50);
    expect(turns).toBeGreaterThan(10);
    // Title, alt text, description and file name of each, and the text of the wish.
    expect(normalize.mock.calls.length).toBe(50 * 4 + 1);
    normalize.mockRestore();
  });
});
