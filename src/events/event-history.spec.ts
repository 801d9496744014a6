import { EventHistory } from './event-history.js';
import type { LibraryChange } from './library-change.js';

const change = (transaction: number | string, clientId = 'a'): LibraryChange => ({
  transaction: String(transaction),
  clientId,
  kind: 'asset',
  ids: [String(transaction)],
  folderIds: [],
});

describe('EventHistory', () => {
  it('gives the same ids in every process that receives the same changes', () => {
    const [first, second] = [new EventHistory('secret'), new EventHistory('secret')];
    first.add(change(1));
    const other = first.lastId;
    for (const history of [first, second]) {
      history.add(change(7));
      history.add(change(7, 'b'));
    }
    expect(second.lastId).toBe(first.lastId);
    second.add(change(8));
    expect(second.after(first.lastId, 'a')).toEqual([change(8)]);
    expect(second.after(other, 'a')).toBeNull();
    expect(new EventHistory('another').lastId).not.toBe(first.lastId);
  });

  it('distinguishes changes of one transaction, and those of one client', () => {
    const history = new EventHistory('secret');
    const start = history.lastId;
    history.add(change(1));
    const between = history.lastId;
    history.add(change(1, 'b'));
    history.add(change(1));
    expect(history.after(start, 'a')).toHaveLength(2);
    expect(history.after(between, 'a')).toHaveLength(1);
    expect(history.after(history.lastId, 'a')).toEqual([]);
  });

  it('drops the oldest, and everything when changes may have been missed', () => {
    const history = new EventHistory('secret');
    const ids = Array.from({ length: 12_000 }, (_, index) => {
      history.add(change(index));
      return history.lastId;
    });
    expect(history.after(ids[0]!, 'a')).toBeNull();
    expect(history.after(ids.at(-5_000)!, 'a')).toHaveLength(4_999);
    history.clear();
    expect(history.after(ids.at(-1)!, 'a')).toBeNull();
    const { lastId } = history;
    history.add(change(99_999));
    expect(history.after(lastId, 'a')).toEqual([change(99_999)]);
  });
});
