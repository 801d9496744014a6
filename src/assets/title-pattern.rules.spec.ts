import { parseTitlePattern, titleFault, titleOf } from './title-pattern.rules.js';

const ASSET = {
  title: 'Bread',
  originalFilename: 'IMG_0042.tar.jpeg',
  takenAt: new Date('2026-03-01T23:30:00Z'),
  createdAt: new Date('2026-11-17T08:00:00Z'),
};
const made = (pattern: string, number = 7, asset = ASSET) =>
  titleOf(parseTitlePattern(pattern), asset, number);

describe('A title pattern', () => {
  it.each([
    ['Plain text', 'Plain text'],
    ['Menu {n}', 'Menu 7'],
    ['{n:1}/{n:3}', '7/007'],
    ['{title} – {title}', 'Bread – Bread'],
    ['{filename}', 'IMG_0042.tar'],
    ['{date} {title}', '2026-03-01 Bread'],
    ['{{n}} {{{n}}}', '{n} {7}'],
    ['  {title} ', 'Bread'],
    ['Cafe\u0301 {n}', 'Caf\u00e9 7'],
    ['\u202e{n}', '\u202e7'],
  ])('%p makes %p', (pattern, title) => {
    expect(made(pattern)).toBe(title);
  });

  it('uses the day of the upload if it is unknown when the picture was taken', () => {
    expect(titleOf(parseTitlePattern('{date}'), { ...ASSET, takenAt: null }, 1)).toBe('2026-11-17');
  });

  it('does not shorten numbers, nor read what it inserts as placeholders', () => {
    expect(made('{n:2}', 1_000_499)).toBe('1000499');
    expect(made('{title}', 1, { ...ASSET, title: '{n} }{ {{' })).toBe('{n} }{ {{');
  });

  it.each([
    ['{name}', 'unknown placeholder {name}'],
    ['{}', 'unknown placeholder {}'],
    ['{n:0}', 'unknown placeholder {n:0}'],
    ['{n:999999999}', 'unknown placeholder {n:999999999}'],
    ['{ n }', 'unknown placeholder { n }'],
    ['{Title}', 'unknown placeholder {Title}'],
    [`{${'x'.repeat(100)}}`, `unknown placeholder {${'x'.repeat(40)}…}`],
    ['{title', 'a single {'],
    ['a } b', 'a single }'],
    ['{{n}', 'a single }'],
  ])('%p is refused', (pattern, message) => {
    expect(() => parseTitlePattern(pattern)).toThrow(message);
  });
});

describe('A title', () => {
  it.each([
    ['', 'empty'],
    ['🍞🍞🍞', 'longer than 2 characters'],
    ['a\n', 'control characters'],
  ])('%p is refused', (title, fault) => {
    expect(titleFault(title, 2)).toContain(fault);
  });

  it('may be as long as the limit', () => {
    expect(titleFault('🍞🍞', 2)).toBeNull();
  });
});
