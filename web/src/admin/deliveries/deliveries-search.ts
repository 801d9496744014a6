import { oneOf, textOf } from '../../browser/search-params';

export const DELIVERY_STATES = ['queued', 'running', 'delivered', 'failed', 'cancelled'] as const;

export interface DeliveriesSearch {
  status?: (typeof DELIVERY_STATES)[number];
  /** The target's id. */
  target?: string;
}

export function deliveriesSearch(raw: Record<string, unknown>): DeliveriesSearch {
  return { status: oneOf(DELIVERY_STATES, raw.status), target: textOf(raw.target) };
}
