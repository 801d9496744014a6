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
});
