import { Problem } from '../common/errors/problem.js';
import { countsAsAttempt, partSizeFor, planParts } from './upload.rules.js';

const MIB = 1024 * 1024;

describe('planParts', () => {
  it('covers every byte once, with equal parts except the last', () => {
    const total = 20 * MIB + 5;
    const parts = planParts(total, partSizeFor(total));
    expect(parts.map(({ sizeBytes }) => sizeBytes)).toEqual([8 * MIB, 8 * MIB, 4 * MIB + 5]);
    expect(parts.map(({ partNumber }) => partNumber)).toEqual([1, 2, 3]);
  });

  it('stays below a thousand parts for the largest file', () => {
    expect(planParts(4_900_000_000, partSizeFor(4_900_000_000)).length).toBeLessThanOrEqual(1_000);
    expect(planParts(50_000_000_000, partSizeFor(50_000_000_000)).length).toBeLessThanOrEqual(1_000);
  });

  it('has one empty part for an empty file', () => {
    expect(planParts(0, partSizeFor(0))).toEqual([{ partNumber: 1, sizeBytes: 0 }]);
  });
});

describe('countsAsAttempt', () => {
  it.each([
    ['checksum_mismatch', true],
    ['size_mismatch', true],
    ['folder_not_found', true],
    ['upload_incomplete', false],
    ['finalize_in_progress', false],
    ['server_busy', false],
    ['storage_unavailable', false],
    ['database_unavailable', false],
  ] as const)('%s: %p', (code, counts) => {
    expect(countsAsAttempt(new Problem(code))).toBe(counts);
  });

  it('does not count our own errors', () => {
    expect(countsAsAttempt(new Error('connection terminated'))).toBe(false);
  });
});
