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

/**
 * Groups events, newest first, although those of others may lie between them. `loadedSince`: the time from which all
 * events are known, if there are older ones.
 */
export function groupsOf(
  events: readonly AuditEvent[],
  loadedSince: string | undefined,
  mayBeGrouped: (action: string) => boolean,
): EventGroup[] {
  const groups: AuditEvent[][] = [];
  const latest = new Map<string, AuditEvent[]>();
  for (const event of events) {
    const kind = `${event.clientId} ${actorKey(event)} ${event.action}`;
    const group = latest.get(kind);
    const last = group?.at(-1);
    if (group && last && mayBeGrouped(event.action) && areNear(last.at, event.at)) group.push(event);
    else {
      const started = [event];
      groups.push(started);
      latest.set(kind, started);
    }
  }
  return groups.map((group) => {
    const [first, last] = [group[0]!, group.at(-1)!];
    return {
      key: first.eventId,
      events: group,
      subjects: new Set(group.map(({ subjectId }) => subjectId)).size,
      isOpen: loadedSince !== undefined && mayBeGrouped(first.action) && areNear(last.at, loadedSince),
    };
  });
}

function areNear(newer: string, older: string): boolean {
  return Date.parse(newer) - Date.parse(older) <= WINDOW_MS;
}
