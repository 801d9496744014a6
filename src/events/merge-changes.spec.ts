import { mergeChanges } from './merge-changes.js';

const asset = (ids: string[] | null, folderIds: (string | null)[] | null = []) =>
  ({ kind: 'asset', ids, folderIds }) as const;

describe('mergeChanges', () => {
  it('makes at most one event of each kind', () => {
    const events = mergeChanges([
      { kind: 'trash', ids: null, folderIds: null },
      asset(['1'], ['f', null]),
      asset(['2', '1'], ['f']),
      { kind: 'delivery', ids: ['d'], folderIds: null },
    ]);
    expect(events).toEqual([
      { kind: 'asset', name: 'asset.changed', data: { assetIds: ['1', '2'], folderIds: ['f', null] } },
      { kind: 'trash', name: 'trash.changed', data: {} },
      { kind: 'delivery', name: 'delivery.changed', data: { deliveryIds: ['d'] } },
    ]);
    expect(mergeChanges([])).toEqual([]);
  });

  it('omits ids when there are too many, or when another change omitted them', () => {
    const many = Array.from({ length: 201 }, (_, id) => asset([String(id)], [null]));
    const folders = [['1'], null, ['2']].map((ids) => ({ kind: 'folder', ids, folderIds: null }) as const);
    expect(mergeChanges([...many, ...folders]).map(({ data }) => data)).toEqual([{ folderIds: [null] }, {}]);
  });
});
