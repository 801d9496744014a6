import { parseSearch, stringifySearch } from '../browser/search-params';
import { librarySearch } from './library-search';

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
      sort: 'title',
      below: true,
      asset: 'ast_1',
      details: 'ast_2',
    };
    expect(searchOf(stringifySearch(search))).toEqual(search);
  });

  it.each([
    'type=image/gif',
    'surface=moon',
    'used=perhaps',
    'fitFor=moon',
    'sort=moon',
    'below=false',
    'q=%20',
  ])('replaces the invalid %s, so that the router does not keep it', (parameter) => {
    const [name] = parameter.split('=');
    expect(Object.entries(searchOf(`?${parameter}`))).toContainEqual([name, undefined]);
  });
});
