import { searchTerms, searchTextOf } from './search.rules.js';

describe('search text', () => {
  it('contains title, description, alt text, tags and file name as plain words', () => {
    expect(
      searchTextOf({
        title: 'Crème Brûlée',
        description: 'For the Été menu.',
        altText: "A bowl, caramel's crust",
        tags: ['dessert', 'été 2026'],
        originalFilename: 'IMG_0042-final.JPG',
      }),
    ).toBe('creme brulee for the ete menu a bowl caramel s crust dessert ete 2026 img 0042 final');
  });

  it.each([
    ['IMG_0042.JPG', 'img 0042'],
    ['clip.v2.mp4', 'clip v2'],
    ['notes.2026', 'notes 2026'],
    ['.jpg', 'jpg'],
    ['jpg', 'jpg'],
    ['mp4 jpeg.heic', 'mp4 jpeg'],
  ])('omits the extension of a media file: %s', (originalFilename, expected) => {
    expect(searchTextOf({ title: '', description: '', altText: '', tags: [], originalFilename })).toBe(
      expected,
    );
    expect(searchTerms(originalFilename)).toEqual(expected.split(' '));
  });

  it('is searched with terms normalized in the same way', () => {
    expect(searchTerms('  BRÛLÉE, brulee img_0042 ')).toEqual(['brulee', 'img', '0042']);
    expect(searchTerms('東京 🍞')).toEqual(['東京', '🍞']);
    expect(searchTerms('%_\\\'"&|!():*<->')).toEqual([]);
  });

  it.each([
    ['a ligature that stands for 18 characters', '\uFDFA', 3],
    ['a word in one character', '\u3300', 3],
    ['Korean syllables', '각', 3],
    ['letters with two accents', 'ế', 1],
  ])('are at most three times as long as the texts: %s', (_what, character, growth) => {
    const [title, description, altText] = [200, 2000, 2000].map((length) => character.repeat(length));
    const text = searchTextOf({
      title: title!,
      description: description!,
      altText: altText!,
      tags: [`${character.repeat(63)}x`, 'tag'],
      originalFilename: 'file.jpg',
    });
    expect(text.length).toBeLessThanOrEqual(growth * 4_300);
    // A text that grows does not displace others.
    expect(text).toMatch(/ tag file$/);
  });

  it('contain no half of a character where a text is cut', () => {
    const title = `a${'\uFDFA'.repeat(10)}${'𐐀'.repeat(50)}`;
    for (let length = 1; length < title.length; length++)
      expect(searchTerms(title.slice(0, length)).join('').isWellFormed()).toBe(true);
  });
});
