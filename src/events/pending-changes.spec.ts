import { type LibraryChange, parseChange } from './library-change.js';
import { PendingChanges } from './pending-changes.js';

const change = (parts: Partial<LibraryChange>): LibraryChange => ({
  transaction: '1',
  clientId: 'a',
  kind: 'asset',
  ids: [],
  folderIds: [],
  ...parts,
});

describe('PendingChanges', () => {
  it('makes at most one event of each kind', () => {
    const pending = new PendingChanges();
    pending.add(change({ kind: 'trash', ids: null, folderIds: null }));
    pending.add(change({ ids: ['1'], folderIds: ['f', null] }));
    pending.add(change({ ids: ['2', '1'], folderIds: ['f'] }));
    pending.add(change({ kind: 'delivery', ids: ['d'], folderIds: null }));
    expect(pending.take()).toEqual([
      { kind: 'asset', name: 'asset.changed', data: { assetIds: ['1', '2'], folderIds: ['f', null] } },
      { kind: 'trash', name: 'trash.changed', data: {} },
      { kind: 'delivery', name: 'delivery.changed', data: { deliveryIds: ['d'] } },
    ]);
    expect(pending.isEmpty).toBe(true);
    expect(pending.take()).toEqual([]);
  });

  it('omits ids when there are too many, or when another change omitted them', () => {
    const pending = new PendingChanges();
    for (let id = 0; id < 201; id++) pending.add(change({ ids: [String(id)], folderIds: [null] }));
    pending.add(change({ kind: 'folder', ids: ['1'] }));
    pending.add(change({ kind: 'folder', ids: null }));
    pending.add(change({ kind: 'folder', ids: ['2'] }));
    expect(pending.take().map(({ data }) => data)).toEqual([{ folderIds: [null] }, {}]);
  });

  it('ignores payloads that the triggers did not send', () => {
    for (const payload of ['', 'x', '{}', 'null', '[]', '{"transaction":"1","clientId":"a","kind":"user"}'])
      expect(parseChange(payload)).toBeNull();
    expect(parseChange(JSON.stringify(change({})))).toEqual(change({}));
  });
});
