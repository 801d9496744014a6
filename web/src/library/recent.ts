import type { Asset } from './asset-types';
import { PAGE_SIZE } from './asset-pages';
import { type Day, dayOf } from './days';

/** How many of the latest uploads are shown by day. */
export const RECENT_LIMIT = 500;

export interface RecentDay {
  readonly day: Day;
  /** The position of its first asset. */
  readonly start: number;
}

/** The latest uploads as they are shown: by day, and on each day the user's own first. */
export interface Recent {
  /** For each position, where the listing has the asset. */
  readonly order: readonly number[];
  readonly days: readonly RecentDay[];
}

interface Uploaded {
  readonly index: number;
  readonly isOwn: boolean;
}

/** Pages are those loaded so far: assets after a missing page are left out, because theirs would be the wrong day. */
export function recentOf(
  pages: readonly (readonly (Asset | undefined)[] | undefined)[],
  userId: string,
): Recent {
  const byDay = new Map<Day, Uploaded[]>();
  for (const [number, assets] of pages.entries()) {
    if (!assets) break;
    for (const [position, asset] of assets.entries()) {
      const index = number * PAGE_SIZE + position;
      if (!asset || index >= RECENT_LIMIT) continue;
      const day = dayOf(asset.createdAt);
      const uploaded = { index, isOwn: asset.createdBy?.id === userId };
      const others = byDay.get(day);
      if (others) others.push(uploaded);
      else byDay.set(day, [uploaded]);
    }
  }
  const order: number[] = [];
  const days = [...byDay].map(([day, assets]) => {
    const start = order.length;
    const own = assets.filter(({ isOwn }) => isOwn);
    const others = assets.filter(({ isOwn }) => !isOwn);
    order.push(...[...own, ...others].map(({ index }) => index));
    return { day, start };
  });
  return { order, days };
}
