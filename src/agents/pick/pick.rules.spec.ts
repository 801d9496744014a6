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

const scoreOf = (change: Partial<Rankable>, text?: string) =>
  rank([asset(change)], { surface: 'social', ...(text ? { text } : {}) })[0]!.score;

describe('rank', () => {
  it('scores words by the field they are found in, and less inside a longer word', () => {
    const scores = [
      { title: 'The storefront' },
      { tags: ['storefront'] },
      { altText: 'A storefront' },
      { description: 'Storefront at dawn' },
      { originalFilename: 'storefront_01.jpg' },
      { title: 'Storefronts' },
      { title: 'Something else' },
    ].map((change) => scoreOf(change, 'Storefront'));
    expect(scores).toEqual([100, 93, 86, 86, 79, 86, 30]);
  });

  it('finds words like the search: ignoring case, accents, punctuation and file extensions', () => {
    expect(scoreOf({ title: 'Café_Été-01' }, 'cafe ete')).toBe(100);
    expect(scoreOf({ originalFilename: 'dawn.jpg' }, 'jpg')).toBe(30);
    // Short words only match at the beginning of words.
    expect(scoreOf({ title: 'Cafe' }, 'ca')).toBe(86);
    expect(scoreOf({ title: 'Cafe' }, 'fe')).toBe(30);
  });

  it('ranks assets with all words before those with some', () => {
    const all = { originalFilename: 'storefront dawn.jpg' };
    const some = { title: 'Storefront' };
    expect(scoreOf(all, 'storefront dawn')).toBeGreaterThan(scoreOf(some, 'storefront dawn'));
  });

  it('prefers what was never used, then what was used long ago', () => {
    const scores = [null, 400, 365, 364, 90, 30, 29, 0].map((lastUsedDays) => scoreOf({ lastUsedDays }));
    expect(scores).toEqual([30, 27, 27, 23, 23, 19, 15, 15]);
  });

  it('prefers what is ready to what can be fixed, and puts what is blocked last', () => {
    expect((['ready', 'fixable', 'blocked'] as const).map((verdict) => scoreOf({ verdict }))).toEqual([
      30, 23, -85,
    ]);
    expect(scoreOf({ title: 'Dawn', verdict: 'blocked' }, 'dawn')).toBeLessThan(0);
  });

  it('puts newer assets first if scores are equal, whatever their order', () => {
    const ids = ['a', 'b', 'c'].map((letter) => `0198a3c4-7b1e-7cc0-8f5e-2f5d1c9a7b1${letter}`);
    const assets = [
      asset({ id: ids[0], createdAt: new Date('2026-01-02') }),
      asset({ id: ids[1], createdAt: new Date('2026-01-01') }),
      asset({ id: ids[2], createdAt: new Date('2026-01-01') }),
    ];
    const expected = [ids[0], ids[2], ids[1]];
    for (const given of [assets, [...assets].reverse(), [assets[1]!, assets[0]!, assets[2]!]])
      expect(rank(given, { surface: 'social' }).map(({ id }) => id)).toEqual(expected);
  });

  it('explains the score in words', () => {
    const wish = { surface: 'gbp', text: 'Storefront night', tags: ['autumn'] } as const;
    const reasonsOf = (change: Partial<Rankable>) => rank([asset(change)], wish)[0]!.reasons;
    expect(reasonsOf({ title: 'Storefront', tags: ['autumn'] })).toEqual([
      "matches 'storefront'",
      "does not match 'night'",
      "tagged 'autumn'",
      'never used on gbp',
      'ready',
    ]);
    expect(reasonsOf({ lastUsedDays: 1, verdict: 'fixable' }).slice(-2)).toEqual([
      'last used on gbp 1 day ago',
      'fixable: use the rendition fit',
    ]);
    expect(reasonsOf({ lastUsedDays: 0, verdict: 'blocked' }).slice(-2)).toEqual([
      'last used on gbp within a day',
      'blocked: violates limits of the surface',
    ]);
  });
});
