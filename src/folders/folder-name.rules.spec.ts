import { nameFault, nameKeyOf, restoredNames, SYSTEM_FOLDERS } from './folder-name.rules.js';

describe('nameKeyOf', () => {
  it.each([
    ['case', 'SOCIAL'],
    ['spaces around it', '  Social \t'],
    ['a no-break space', 'Social\u00a0'],
    ['full width', 'Ｓｏｃｉａｌ'],
    ['mathematical letters', '𝐒𝐨𝐜𝐢𝐚𝐥'],
    ['circled letters', 'Ⓢⓞⓒⓘⓐⓛ'],
    ['a zero-width space', 'So\u200bcial'],
    ['a zero-width joiner', 'So\u200dcial'],
    ['a soft hyphen', 'So\u00adcial'],
    ['a byte order mark', '\ufeffSocial'],
    ['a word joiner', 'Social\u2060'],
    ['a bidi override', '\u202eSocial\u202c'],
    ['a bidi isolate', '\u2066Social\u2069'],
    ['a variation selector', 'Social\ufe0f'],
    ['a Hangul filler', 'Social\u3164'],
    ['a tag character', 'Social\u{e0041}'],
    ['an invisible character before a space', 'Social \u200b'],
  ])('does not distinguish names by %s', (_difference, name) => {
    expect(nameKeyOf(name)).toBe(nameKeyOf('Social'));
  });

  it('does not distinguish Unicode forms, inner spaces or special cases', () => {
    expect(nameKeyOf('Cafe\u0301')).toBe(nameKeyOf('CAFÉ'));
    expect(nameKeyOf('ﬁles')).toBe(nameKeyOf('Files'));
    expect(nameKeyOf('A \u2003 B')).toBe(nameKeyOf('a b'));
    expect(nameKeyOf('STRASSE')).toBe('strasse');
  });

  it.each(['Socia', 'Social 2', 'So cial', 'Sociál', 'Социал', 'Social-'])('distinguishes %s', (name) => {
    expect(nameKeyOf(name)).not.toBe(nameKeyOf('Social'));
  });

  it('is stable: the key of a key is the key', () => {
    for (const name of [
      'Ｓｏｃｉａｌ',
      'İstanbul',
      'ŉ',
      'ǅ',
      'ẞ',
      'Å\u200b\u030a',
      '\u1e9b\u0323',
      'ϓ',
      '㎒',
    ]) {
      expect(nameKeyOf(nameKeyOf(name))).toBe(nameKeyOf(name));
    }
  });
});

describe('SYSTEM_FOLDERS', () => {
  it('are Social and Social/Posted, parents first', () => {
    expect(SYSTEM_FOLDERS.map(({ name, parent }) => [name, parent])).toEqual([
      ['Social', null],
      ['Posted', 'social'],
    ]);
  });
});

describe('nameFault', () => {
  it.each([
    ['Braille blanks', '\u2800'],
    ['Braille blanks and spaces', '\u2800 \u2800'],
    ['a Hangul filler', '\u3164'],
    ['a Hangul choseong filler', '\u115f'],
    ['a Hangul jungseong filler', '\u1160'],
    ['a halfwidth Hangul filler', '\uffa0'],
    ['a blank note head', '\u{1d159}'],
    ['a Khitan filler', '\u{16fe4}'],
    ['a hieroglyphic blank', '\u{13441}'],
    ['an ideographic space between zero-width spaces', '\u200b\u3000\u200b'],
  ])('rejects a name that only consists of %s', (_what, name) => {
    expect(nameFault(name)).toBe('must contain something visible');
  });

  it('accepts blanks next to something visible', () => {
    for (const name of ['\u2800Autumn', '⠓⠑', '한\u3164글', '日本']) expect(nameFault(name)).toBeNull();
  });
});

describe('restoredNames', () => {
  it('numbers the name and keeps it within 120 characters', () => {
    const first = (name: string) => {
      const names = restoredNames(name);
      return [names.next().value, names.next().value, names.next().value];
    };
    expect(first('Autumn')).toEqual(['Autumn', 'Autumn (restored)', 'Autumn (restored 2)']);
    expect(first('x'.repeat(120)).map((name) => name!.length)).toEqual([120, 120, 120]);
  });
});
