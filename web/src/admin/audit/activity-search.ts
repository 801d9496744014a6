import { textOf } from '../../browser/search-params';

export interface ActivitySearch {
  /** The kind of record that changed: the part of an action before the dot. */
  kind?: string;
  /** The id of a user or key, or `system`. */
  actor?: string;
}

export function activitySearch(raw: Record<string, unknown>): ActivitySearch {
  return { kind: textOf(raw.kind), actor: textOf(raw.actor) };
}
