import { FolderTree } from './folder-tree.rules.js';

const tree = new FolderTree([
  { id: 'a', parentId: null, name: 'A' },
  { id: 'b', parentId: 'a', name: 'B' },
  { id: 'c', parentId: 'b', name: 'C' },
  { id: 'd', parentId: 'a', name: 'D' },
  { id: 'e', parentId: null, name: 'E' },
]);

const ids = (folders: readonly { id: string }[]) => folders.map(({ id }) => id);

describe('FolderTree', () => {
  it('lists a subtree with parents before children', () => {
    expect(ids(tree.subtree('a'))).toEqual(['a', 'b', 'd', 'c']);
    expect(tree.subtree('nobody')).toEqual([]);
  });

  it('walks every folder with its path, parents before children', () => {
    expect([...tree.walk()].map(({ path }) => path)).toEqual(['A', 'A/B', 'A/D', 'A/B/C', 'E']);
  });

  it('adds up the values of each folder and everything below', () => {
    const values: Record<string, number> = { a: 1, b: 2, c: 4, d: 0, e: 8 };
    const sums = tree.sums(({ id }) => values[id]!);
    expect(Object.fromEntries(sums)).toEqual({ a: 7, b: 6, c: 4, d: 0, e: 8 });
  });

  it('holds many children', () => {
    const children = Array.from({ length: 200_000 }, (_, n) => ({
      id: `${n}`,
      parentId: 'top',
      name: `${n}`,
    }));
    const wide = new FolderTree([{ id: 'top', parentId: null, name: 'Top' }, ...children]);
    expect([...wide.walk()]).toHaveLength(200_001);
  });
});
