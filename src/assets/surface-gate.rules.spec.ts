import { toAssetRef } from '../common/asset-ref.js';
import { Problem } from '../common/errors/problem.js';
import { newId } from '../common/ids.js';
import { assetIdsOf, refusalOf, requireSurface } from './surface-gate.rules.js';

function problemOf(work: () => unknown): Problem | null {
  try {
    work();
    return null;
  } catch (error) {
    return error as Problem;
  }
}

describe('The surface gate', () => {
  it('lets a key use the surfaces it is limited to, and no others', () => {
    expect(problemOf(() => requireSurface({ surfaces: null }, 'gbp'))).toBeNull();
    expect(problemOf(() => requireSurface({ surfaces: ['social', 'gbp'] }, 'gbp'))).toBeNull();
    const problem = problemOf(() => requireSurface({ surfaces: ['social'] }, 'website'));
    expect(problem).toMatchObject({ code: 'surface_not_allowed', status: 409 });
    expect(problem!.detail).toContain('limited to social');
  });

  it('rejects missing assets and surfaces that an asset does not allow', () => {
    expect(refusalOf(undefined, 'website')).toMatchObject({ code: 'asset_not_found' });
    expect(refusalOf({ allowedSurfaces: [] }, 'website')).toBeNull();
    expect(refusalOf({ allowedSurfaces: ['website'] }, 'website')).toBeNull();
    expect(refusalOf({ allowedSurfaces: ['website', 'gbp'] }, 'social')).toEqual({
      code: 'surface_not_allowed',
      detail: 'The asset is not allowed on social, only on website, gbp.',
    });
  });

  it('parses refs in order and names each malformed one by its position', () => {
    const ids = [newId(), newId()];
    expect(assetIdsOf('assetRefs', ids.map(toAssetRef))).toEqual(ids);
    const problem = problemOf(() => assetIdsOf('assetRefs', [toAssetRef(ids[0]!), ids[1], 5]));
    expect(problem).toMatchObject({ code: 'validation_failed' });
    expect(problem!.options.errors!.map(({ path }) => path)).toEqual(['assetRefs[1]', 'assetRefs[2]']);
  });
});
