import { FolderTree, pathOf } from './folder-tree.rules.js';

const tree = new FolderTree([
  { id: 'a', parentId: null, name: 'A' },
  { id: 'b', parentId: 'a', name: 'B' },
  { id: 'c', parentId: 'b', name: 'C' },
  { id: 'd', parentId: 'a', name: 'D' },
  { id: 'e', parentId: null, name: 'E' },
]);

const ids = (folders: readonly { id: string }[]) => folders.map(({ id }) => id);

describe('FolderTree', () => {
  it('knows the way from the top', () => {
    expect(pathOf(tree.pathTo('c'))).toBe('A/B/C');
    expect(tree.pathTo(null)).toEqual([]);
  });

  it('lists a subtree with parents before children', () => {
    expect(ids(tree.subtree('a'))).toEqual(['a', 'b', 'd', 'c']);
    expect(tree.subtree('nobody')).toEqual([]);
  });

  it.each([
    ['into itself', 'a', 'a', true],
    ['into its child', 'a', 'b', true],
    ['far below itself', 'a', 'c', true],
    ['to a sibling', 'b', 'd', false],
    ['up', 'c', 'a', false],
    ['to the top', 'c', null, false],
  ])('says whether moving a folder %s makes a cycle', (_where, id, parentId, expected) => {
    expect(tree.wouldCycle(id, parentId)).toBe(expected);
  });

  it('measures depth with all that is below', () => {
    expect(tree.height('a')).toBe(3);
    expect(tree.fits(29, 'c')).toBe(true);
    expect(tree.fits(30, 'c')).toBe(false);
  });
});
