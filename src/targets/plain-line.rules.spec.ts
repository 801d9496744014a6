import { singleLine } from './plain-line.rules.js';

describe('singleLine', () => {
  it('is one line', () => {
    expect(singleLine(' a\n\tb  c ')).toBe('a b c');
  });
});
