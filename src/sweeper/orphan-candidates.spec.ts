import { OrphanCandidates } from './orphan-candidates.js';

function candidates(recorded: number, unrecorded: number): OrphanCandidates {
  const found = new OrphanCandidates();
  for (let index = 0; index < recorded; index++) found.add(`recorded-${index}`, 'recorded');
  for (let index = 0; index < unrecorded; index++) found.add(`unrecorded-${index}`, 'unrecorded');
  return found;
}

describe('OrphanCandidates', () => {
  it('chooses at most 1 % of the objects seen', () => {
    expect(candidates(3, 0).choose(99, true)).toEqual([]);
    expect(candidates(3, 0).choose(299, true)).toEqual(['recorded-0', 'recorded-1']);
    expect(candidates(3, 0).choose(1_000, true)).toHaveLength(3);
  });

  it('leaves unrecorded objects out after a restored backup', () => {
    expect(candidates(1, 2).choose(1_000, false)).toEqual(['recorded-0']);
    expect(candidates(1, 2).choose(1_000, true)).toHaveLength(3);
  });

  it('holds and chooses at most 10,000, however large the bucket is', () => {
    const found = candidates(20_000, 20_000);
    expect(found.choose(100_000_000, true)).toHaveLength(10_000);
    expect(/"(un)?recorded-10000"/.test(JSON.stringify(found))).toBe(false);
  });
});
