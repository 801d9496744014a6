import type { Asset } from './asset-types';
import { PAGE_SIZE } from './asset-pages';
import { recentOf, RECENT_LIMIT } from './recent';

const upload = (createdAt: string, id = 'other') =>
  ({ createdAt, createdBy: { kind: 'user', id, name: '' } }) as unknown as Asset;

describe('The latest uploads', () => {
  it('are grouped by day, the own ones of each day first', () => {
    const page = [
      upload('2026-11-17T12:00'),
      upload('2026-11-17T11:00', 'me'),
      { ...upload('2026-11-17T10:00'), createdBy: null } as Asset,
      upload('2026-11-16T10:00'),
      upload('2026-11-16T09:00', 'me'),
    ];
    expect(recentOf([page], 'me')).toEqual({
      order: [1, 0, 2, 4, 3],
      days: [
        { day: '2026-11-17', start: 0 },
        { day: '2026-11-16', start: 3 },
      ],
    });
  });

  it('leave out what was removed, and what follows a page that is not loaded', () => {
    const page = Array.from({ length: PAGE_SIZE }, (_, n) =>
      n === 1 ? undefined : upload('2026-11-17T12:00'),
    );
    const { order } = recentOf([page, undefined, page], 'me');
    expect(order).toHaveLength(PAGE_SIZE - 1);
    expect(order.slice(0, 3)).toEqual([0, 2, 3]);
  });

  it('are limited', () => {
    const page = Array.from({ length: PAGE_SIZE }, () => upload('2026-11-17T12:00'));
    expect(recentOf(Array(9).fill(page), 'me').order).toHaveLength(RECENT_LIMIT);
  });
});
