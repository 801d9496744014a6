import { parseSearch, stringifySearch } from './search-params';

describe('The search parameters of an address', () => {
  it('are texts, or lists of those that are repeated', () => {
    const search = '?tags=a&q=x%20y&tags=b';
    expect(parseSearch(search)).toEqual({ tags: ['a', 'b'], q: 'x y' });
    expect(stringifySearch(parseSearch(search))).toBe('?tags=a&tags=b&q=x+y');
  });

  it.each(['constructor', 'toString', '__proto__'])('may be called %s', (name) => {
    const search = parseSearch(`?${name}=x`);
    expect(Object.entries(search)).toEqual([[name, 'x']]);
    expect(Object.getPrototypeOf(search)).toBe(Object.prototype);
  });
});
