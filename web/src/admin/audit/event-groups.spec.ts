import type { AuditEvent } from './audit-events';
import { groupsOf } from './event-groups';

let count = 0;
const event = (action: string, ago: number, { actor = 'anna', subject = '' } = {}): AuditEvent =>
  ({
    eventId: `event ${(count += 1)}`,
    at: new Date(Date.UTC(2026, 10, 19, 12) - ago * 60_000).toISOString(),
    actor: { kind: 'user', id: actor, name: actor },
    action,
    subjectId: subject || `subject ${count}`,
  }) as AuditEvent;

const mayBeGrouped = (action: string) => action !== 'client.update';
const grouped = (events: AuditEvent[], hasMore = false) =>
  groupsOf(events, hasMore ? events.at(-1)!.at : undefined, mayBeGrouped).map(
    ({ events: some, subjects, isOpen }) => ({
      events: some.map(({ eventId }) => events.findIndex((each) => each.eventId === eventId)),
      subjects,
      isOpen,
    }),
  );

describe('Groups of events', () => {
  it('are what one actor did within minutes, even if others did something in between', () => {
    const events = [
      event('asset.create', 0),
      event('asset.create', 1, { actor: 'bert' }),
      event('folder.create', 1),
      event('asset.create', 4),
      event('asset.create', 9),
      event('asset.create', 15),
      event('client.update', 15),
      event('client.update', 15),
    ];
    expect(grouped(events).map((group) => group.events)).toEqual([[0, 3, 4], [1], [2], [5], [6], [7]]);
  });

  it('count their subjects, not their events', () => {
    const same = { subject: 'one' };
    const events = [event('asset.update', 0, same), event('asset.update', 1, same), event('asset.update', 2)];
    expect(grouped(events)).toEqual([{ events: [0, 1, 2], subjects: 2, isOpen: false }]);
  });

  it('are open while older events, which have not been loaded, may belong to them', () => {
    const events = [event('folder.create', 0), event('asset.create', 2), event('asset.create', 6)];
    expect(grouped(events, false).map(({ isOpen }) => isOpen)).toEqual([false, false]);
    expect(grouped(events, true).map(({ isOpen }) => isOpen)).toEqual([false, true]);
    const ended = [...events, event('asset.update', 12)];
    expect(grouped(ended, true).map(({ isOpen }) => isOpen)).toEqual([false, false, true]);
  });

  it('are complete if only a filter hides the later events', () => {
    const [events, hidden] = [
      [event('asset.create', 0), event('asset.create', 2)],
      event('folder.create', 8),
    ];
    expect(groupsOf(events, hidden.at, mayBeGrouped)).toMatchObject([{ isOpen: false }]);
  });

  it('keep their keys while older events are loaded', () => {
    const events = [event('asset.create', 0), event('asset.create', 2), event('asset.create', 4)];
    const [open] = groupsOf(events.slice(0, 2), events[1]!.at, mayBeGrouped);
    const [complete] = groupsOf(events, undefined, mayBeGrouped);
    expect([open!.isOpen, complete!.isOpen, complete!.key]).toEqual([true, false, open!.key]);
  });
});
