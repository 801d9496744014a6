import 'reflect-metadata';
import { Problem } from '../errors/problem.js';
import { decodeCursor, encodeCursor, isText, isUuidText, toPage } from './page.js';

const ID = '0198a3c4-7b1e-7cc0-8f5e-2f5d1c9a7b10';

describe('toPage', () => {
  it('is the last page when there are no more rows than its limit', () => {
    expect(toPage([1, 2], 2, String)).toEqual({ items: [1, 2], nextCursor: null });
    expect(toPage([], 2, String)).toEqual({ items: [], nextCursor: null });
  });

  it('leaves the row beyond the limit for the next page, which begins after the last row shown', () => {
    const page = toPage([1, 2, 3], 2, (row) => ({ row }));
    expect(page.items).toEqual([1, 2]);
    const isPosition = (value: unknown): value is { row: number } => typeof value === 'object';
    expect(decodeCursor(page.nextCursor!, isPosition)).toEqual({ row: 2 });
  });
});

describe('decodeCursor', () => {
  it('returns what was encoded, and nothing for the first page', () => {
    expect(decodeCursor(encodeCursor(ID), isUuidText)).toBe(ID);
    expect(decodeCursor(encodeCursor('Ü/+?'), isText)).toBe('Ü/+?');
    expect(decodeCursor(undefined, isText)).toBeNull();
    expect(encodeCursor('Ü/+?>>')).toMatch(/^[\w-]+$/);
  });

  it.each([
    '',
    'x',
    '%',
    encodeCursor(null),
    encodeCursor(5),
    encodeCursor({ id: ID }),
    encodeCursor('not-an-id'),
    encodeCursor('\0'),
    encodeCursor('\ud800'),
  ])('rejects %j, which this list never issued', (cursor) => {
    const decode = () => decodeCursor(cursor, isUuidText);
    expect(decode).toThrow(Problem);
    expect(decode).toThrow(
      expect.objectContaining({
        code: 'validation_failed',
        options: { errors: [expect.objectContaining({ path: 'cursor' })] },
      }),
    );
  });
});
