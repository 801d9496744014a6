import { sizeText } from './size-text.rules.js';

describe('sizeText', () => {
  it('names a size as the pages do', () => {
    expect([999, 1_000, 288_400, 12_400_000].map(sizeText)).toEqual([
      '999 bytes',
      '1 KB',
      '288 KB',
      '12.4 MB',
    ]);
  });
});
