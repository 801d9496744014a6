import { apiFor } from '../../api/client';
import { ApiProblem } from '../../api/problem';
import type { Library } from '../../library/use-library';
import { EMPTY } from '../../library/selection';
import { chosenInFull } from './chosen-assets';

jest.mock('../../api/client', () => ({
  apiFor: jest.fn(),
  body: async (request: Promise<{ data: unknown }>) => (await request).data,
}));

const asset = (assetId: string) => ({ assetId, title: assetId });

function libraryWith(...loaded: string[]): Library {
  const findMany = (ids: ReadonlySet<string>) => loaded.filter((id) => ids.has(id)).map(asset);
  return { scope: { basePath: '/portal' }, cache: { findMany } } as unknown as Library;
}

function serveAssets(answer: (assetId: string) => object): void {
  const GET = (_: string, { params }: { params: { path: { assetId: string } } }) =>
    Promise.resolve().then(() => ({ data: answer(params.path.assetId) }));
  jest.mocked(apiFor).mockReturnValue({ GET } as unknown as ReturnType<typeof apiFor>);
}

const select = (...ids: string[]) => ({ ...EMPTY, ids: new Set(ids) });

describe('The selected assets', () => {
  it('include those that are no longer in the cache', async () => {
    serveAssets(asset);
    const chosen = await chosenInFull(libraryWith('a', 'c'), select('a', 'b', 'c', 'd', 'e', 'f', 'g'));
    expect(chosen.map(({ assetId }) => assetId).sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
  });

  it('do not include those that no longer exist', async () => {
    serveAssets(() => {
      throw new ApiProblem({ status: 404, code: 'asset_not_found' });
    });
    expect(await chosenInFull(libraryWith('a'), select('a', 'b'))).toEqual([asset('a')]);
  });

  it('are unknown while the service fails', async () => {
    serveAssets(() => {
      throw new ApiProblem({ status: 500, code: 'internal_error' });
    });
    await expect(chosenInFull(libraryWith('a'), select('a', 'b'))).rejects.toThrow();
  });
});
