import { QueryClient } from '@tanstack/react-query';
import { PAGE_SIZE } from './asset-pages';
import { AssetReader } from './asset-reader';
import { listingKey } from './library-queries';
import type { Listing } from './library-search';

jest.mock('../api/client', () => ({}));

const LISTING = {} as Listing;

/** The first page has the assets a, b and c, the second one d. */
function readerOf(order?: readonly number[]): AssetReader {
  const client = new QueryClient();
  const page = (...ids: string[]) => ({ assets: ids.map((assetId) => ({ assetId })) });
  client.setQueryData([...listingKey('/portal', LISTING), 1], page('d'));
  client.setQueryData([...listingKey('/portal', LISTING), 0], page('a', 'b', 'c'));
  return new AssetReader(client, '/portal', LISTING, undefined, order);
}

const inOrder = (positions: Map<string, number>) =>
  [...positions].sort(([, one], [, other]) => one - other).map(([assetId]) => assetId);

describe('The positions of loaded assets', () => {
  it('are those in the listing', () => {
    expect(inOrder(readerOf().positions())).toEqual(['a', 'b', 'c', 'd']);
    expect(readerOf().positions().get('d')).toBe(PAGE_SIZE);
  });

  it('are those at which they are shown, if the page shows them in another order', () => {
    const reader = readerOf([2, PAGE_SIZE, 0]);
    expect(inOrder(reader.positions())).toEqual(['c', 'd', 'a']);
    expect(reader.places().get('a')).toBe(0);
  });
});
