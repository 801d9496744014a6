import { parseSearch, stringifySearch } from '../browser/search-params';
import { ALL_ASSETS, countFilters, inFolder, librarySearch, queryOf, RECENT, viewOf } from './library-search';

const searchOf = (address: string) => librarySearch(parseSearch(address));

describe('The state of the library in its URL', () => {
  it('is the same after it was written and read again', () => {
    const search = {
      folder: 'fld_1',
      q: 'rye',
      tags: ['a', 'b'],
      type: 'image/png',
      surface: 'website',
      used: false,
      fitFor: 'instagram_feed',
      fitVerdict: 'fixable',
      missingAltText: true,
      duplicates: true,
      orientation: 'portrait',
      minWidth: 1080,
      minHeight: 1350,
      uploaded: 'last7days',
      taken: '2026-11-10..2026-11-17',
      createdBy: 'me',
      sort: 'titleDescending',
      below: true,
      asset: 'ast_1',
      details: 'ast_2',
    };
    expect(searchOf(stringifySearch(search))).toEqual(search);
    expect(countFilters(searchOf(stringifySearch(search)))).toBe(12);
  });

  it.each([
    'type=image/gif',
    'surface=moon',
    'used=perhaps',
    'fitFor=moon',
    'fitVerdict=ready',
    'fitFor=x&fitVerdict=blocked',
    'missingAltText=false',
    'duplicates=1',
    'orientation=round',
    'minWidth=0',
    'minWidth=1e3',
    'minHeight=999999999999',
    'uploaded=tomorrow',
    'taken=2026-02-30..',
    'createdBy=somebody',
    'view=moon',
    'sort=moon',
    'below=false',
    'q=%20',
  ])('replaces the invalid %s, so that the router does not keep it', (parameter) => {
    const name = parameter.split('&').at(-1)!.split('=')[0];
    expect(Object.entries(searchOf(`?${parameter}`))).toContainEqual([name, undefined]);
  });

  it('has no folder and no order in the view of the latest uploads', () => {
    expect(searchOf('?view=recent&folder=fld_1&sort=title&below=true&q=rye')).toEqual({
      ...searchOf(''),
      view: 'recent',
      q: 'rye',
    });
  });

  it('says which view of the whole library is open', () => {
    expect(viewOf(searchOf(stringifySearch({ ...searchOf('?folder=fld_1&q=rye'), ...RECENT })))).toBe(
      'recent',
    );
    expect(viewOf(searchOf(stringifySearch({ ...searchOf('?view=recent'), ...ALL_ASSETS })))).toBe('all');
    expect(
      searchOf(stringifySearch({ ...searchOf('?below=true&type=image/png'), ...inFolder('fld_1') })),
    ).toEqual(searchOf('?folder=fld_1'));
    expect(viewOf(searchOf('?folder=fld_1&below=true'))).toBeNull();
    expect(viewOf(searchOf('?q=rye'))).toBeNull();
  });
});

describe('What is asked of the API', () => {
  it.each(['?view=recent', '?below=true', '?missingAltText=true', '?uploaded=today'])(
    'covers all folders: %s',
    (address) => expect(queryOf(searchOf(address))).toMatchObject({ below: true, sort: 'newest' }),
  );

  it('is the folder alone without a filter', () => {
    expect(queryOf(searchOf('?folder=fld_1'))).toEqual({ folderId: 'fld_1', sort: 'newest' });
  });

  it('has the days as instants, and every other filter by its name', () => {
    const query = queryOf(
      searchOf('?uploaded=2026-11-17..2026-11-17&taken=..2026-11-17&orientation=square&minWidth=1080'),
    );
    expect(query).toEqual({
      createdFrom: new Date(2026, 10, 17).toISOString(),
      createdTo: new Date(2026, 10, 18).toISOString(),
      takenTo: new Date(2026, 10, 18).toISOString(),
      orientation: 'square',
      minWidth: 1080,
      below: true,
      sort: 'newest',
    });
  });
});
