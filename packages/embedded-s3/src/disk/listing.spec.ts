import fc from 'fast-check';
import { type ListingQuery, listObjects } from './listing.js';
import { ObjectIndex, type StoredObject } from './object-index.js';

const object = (key: string): StoredObject => ({
  key,
  etag: '',
  size: 0,
  modified: '',
  headers: {},
  checksums: {},
  segments: [],
});

/** What S3 would list, computed with a simple algorithm. */
function expected(keys: string[], prefix: string, delimiter: string): string[] {
  const bytes = (text: string) => Buffer.from(text);
  const entries = keys
    .filter((key) => key.startsWith(prefix))
    .map((key) => {
      const cut = delimiter ? key.indexOf(delimiter, prefix.length) : -1;
      return cut < 0 ? key : `${key.slice(0, cut + delimiter.length)}*`;
    });
  return [...new Set(entries)].sort((a, b) => Buffer.compare(bytes(a), bytes(b)));
}

function pages(index: ObjectIndex, query: ListingQuery): string[] {
  const found: string[] = [];
  let token: string | undefined;
  do {
    const page = listObjects(index, { ...query, token });
    const entries = [
      ...page.objects.map(({ key }) => key),
      ...page.commonPrefixes.map((common) => `${common}*`),
    ];
    expect(entries.length).toBeGreaterThan(0);
    expect(entries.length).toBeLessThanOrEqual(query.limit);
    found.push(...entries);
    token = page.nextToken;
  } while (token !== undefined);
  return found;
}

describe('listObjects', () => {
  const key = fc.string({
    unit: fc.constantFrom('a', 'b', '/', '-', 'é', '\uFFFD', '😀'),
    minLength: 1,
    maxLength: 6,
  });

  it('matches a simple algorithm for any keys, prefix, delimiter and page size', () => {
    const prefixes = fc.constantFrom('', 'a', 'a/', '/', 'é');
    const delimiters = fc.constantFrom('', '/', '-', 'é', 'ab');
    fc.assert(
      fc.property(
        fc.array(key),
        prefixes,
        delimiters,
        fc.integer({ min: 1, max: 4 }),
        (keys, prefix, delimiter, limit) => {
          const wanted = expected(keys, prefix, delimiter);
          fc.pre(wanted.length > 0);
          const index = new ObjectIndex([...new Set(keys)].map(object));
          expect(pages(index, { prefix, delimiter, limit }).sort()).toEqual(wanted.sort());
        },
      ),
    );
  });

  it('keeps the index in order through any insertions and deletions', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(key, fc.boolean())), (steps) => {
        const index = new ObjectIndex();
        const keys = new Set<string>();
        for (const [name, isAdded] of steps) {
          if (isAdded) {
            index.set(object(name));
            keys.add(name);
          } else {
            index.delete(name);
            keys.delete(name);
          }
        }
        const listed = listObjects(index, { prefix: '', delimiter: '', limit: 1000 }).objects.map(
          (o) => o.key,
        );
        expect(listed).toEqual(expected([...keys], '', ''));
      }),
    );
  });

  it('pages through twenty thousand objects quickly', () => {
    const index = new ObjectIndex();
    for (let i = 0; i < 20_000; i++) index.set(object(`clients/${i % 97}/assets/${i}`));
    const started = performance.now();
    expect(pages(index, { prefix: '', delimiter: '', limit: 100 })).toHaveLength(20_000);
    expect(pages(index, { prefix: 'clients/', delimiter: '/', limit: 10 })).toHaveLength(97);
    expect(performance.now() - started).toBeLessThan(2000);
  });

  it('reports an empty listing as complete', () => {
    const index = new ObjectIndex([object('a')]);
    expect(listObjects(index, { prefix: '', delimiter: '', limit: 0 })).toEqual({
      objects: [],
      commonPrefixes: [],
    });
  });
});
