import { nameKeyOf, SYSTEM_FOLDERS } from './folder-name.rules.js';

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
  ])('does not tell names apart by %s', (_difference, name) => {
    expect(nameKeyOf(name)).toBe(nameKeyOf('Social'));
  });

  it('does not tell Unicode forms, spaces within or special cases apart', () => {
    expect(nameKeyOf('Cafe\u0301')).toBe(nameKeyOf('CAFÉ'));
    expect(nameKeyOf('ﬁles')).toBe(nameKeyOf('Files'));
    expect(nameKeyOf('A \u2003 B')).toBe(nameKeyOf('a b'));
    expect(nameKeyOf('STRASSE')).toBe('strasse');
  });

  it.each(['Socia', 'Social 2', 'So cial', 'Sociál', 'Социал', 'Social-'])('tells %s apart', (name) => {
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
