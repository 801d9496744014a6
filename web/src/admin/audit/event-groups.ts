import { actorKey, type AuditEvent } from './audit-events';

/** Events of a group are at most this far from their neighbours. */
const WINDOW_MS = 5 * 60_000;

/** What one person or service did to several subjects in a row, or a single event. */
export interface EventGroup {
  readonly key: string;
  /** Newest first, at least one. */
  readonly events: readonly AuditEvent[];
  /** The number of different subjects. */
  readonly subjects: number;
  /** Events that have not been loaded yet may belong to the group too, so its numbers are minimums. */
  readonly isOpen: boolean;
}

/** Groups events, newest first, although those of others may lie between them. `hasMore`: whether older ones exist. */
export function groupsOf(
  events: readonly AuditEvent[],
  hasMore: boolean,
  mayBeGrouped: (action: string) => boolean,
): EventGroup[] {
  const groups: AuditEvent[][] = [];
  const latest = new Map<string, AuditEvent[]>();
  for (const event of events) {
    const kind = `${actorKey(event)} ${event.action}`;
    const group = latest.get(kind);
    const last = group?.at(-1);
    if (group && last && mayBeGrouped(event.action) && areNear(last, event)) group.push(event);
    else {
      const started = [event];
      groups.push(started);
      latest.set(kind, started);
    }
  }
  const oldest = events.at(-1);
  return groups.map((group) => {
    const [first, last] = [group[0]!, group.at(-1)!];
    const isOpen = hasMore && mayBeGrouped(first.action) && oldest !== undefined && areNear(last, oldest);
    return {
      // The end that stays the same: new events join at the top, and an open group grows at the bottom.
      key: (isOpen ? first : last).eventId,
      events: group,
      subjects: new Set(group.map(({ subjectId }) => subjectId)).size,
      isOpen,
    };
  });
}

function areNear(newer: AuditEvent, older: AuditEvent): boolean {
  return Date.parse(newer.at) - Date.parse(older.at) <= WINDOW_MS;
}
