import type { CountedFolder } from './asset-types';
import { assetsBelow, commonFolder, type FolderList, folderTree, recounted, reparented } from './folder-tree';

const folder = (path: string, assets: number): CountedFolder => ({
  folderId: path,
  clientId: 'demo',
  parentId: path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : null,
  name: path.slice(path.lastIndexOf('/') + 1),
  path,
  protected: false,
  createdAt: '',
  updatedAt: '',
  assets,
  folders: 0,
  totalAssets: 0,
});

const list: FolderList = {
  assetsAtTop: 1,
  folders: [folder('a', 0), folder('a/b', 2), folder('a/b/c', 4), folder('a/d', 8), folder('e', 16)],
};
const totals = (of: FolderList) =>
  Object.fromEntries([...folderTree(of).byId].map(([id, { totalAssets }]) => [id, totalAssets]));

describe('The folder tree', () => {
  it('counts everything below each folder', () => {
    expect(totals(list)).toEqual({ a: 14, 'a/b': 6, 'a/b/c': 4, 'a/d': 8, e: 16 });
    const tree = folderTree(list);
    expect(tree.totalAssets).toBe(31);
    expect([null, 'a', 'a/b', 'e'].map((id) => assetsBelow(tree, id))).toEqual([30, 14, 4, 0]);
  });

  it('counts changes that are not confirmed yet', () => {
    expect(totals(recounted(list, new Map([['a/b/c', 3]]), 'e'))).toMatchObject({ a: 11, 'a/b': 3, e: 19 });
    expect(totals(reparented(list, 'a/b', 'e'))).toMatchObject({ a: 8, e: 22, 'a/b': 6 });
  });

  it('finds the folder that contains all of several', () => {
    const common = (...ids: (string | null)[]) => commonFolder(folderTree(list), ids);
    expect(common('a/b/c')).toBe('a/b/c');
    expect(common('a/b/c', 'a/b')).toBe('a/b');
    expect(common('a/b/c', 'a/d')).toBe('a');
    expect(common('a/b', 'e')).toBeNull();
    expect(common('a/b', null)).toBeNull();
    expect(common()).toBeNull();
  });
});
