import { CHANGE_KINDS, type ChangeKind, type LibraryChange } from './library-change.js';

/** An event as subscribers receive it, without its id. */
export interface LibraryEvent {
  readonly kind: ChangeKind;
  readonly name: `${ChangeKind}.changed`;
  readonly data: Readonly<Record<string, readonly (string | null)[]>>;
}

/** Above this number, subscribers reload everything instead of single items. */
const MAX_IDS = 200;

const ID_MEMBERS = {
  asset: 'assetIds',
  folder: 'folderIds',
  trash: null,
  delivery: 'deliveryIds',
  target: 'targetIds',
} as const satisfies Record<ChangeKind, string | null>;

interface Merged {
  /** Null if there are too many. */
  ids: Set<string> | null;
  folderIds: Set<string | null> | null;
}

/** Changes to one client's library, merged into at most one event of each kind: thousands of uploads cause a few events. */
export class PendingChanges {
  private readonly kinds = new Map<ChangeKind, Merged>();

  get isEmpty(): boolean {
    return this.kinds.size === 0;
  }

  add({ kind, ids, folderIds }: LibraryChange): void {
    const merged = this.kinds.get(kind) ?? { ids: new Set(), folderIds: new Set() };
    this.kinds.set(kind, {
      ids: union(merged.ids, ids),
      folderIds: union(merged.folderIds, folderIds),
    });
  }

  /** Returns the collected events in a fixed order and clears them. */
  take(): LibraryEvent[] {
    const events = CHANGE_KINDS.flatMap((kind): LibraryEvent[] => {
      const merged = this.kinds.get(kind);
      return merged ? [{ kind, name: `${kind}.changed`, data: dataOf(kind, merged) }] : [];
    });
    this.kinds.clear();
    return events;
  }
}

function union<T>(known: Set<T> | null, more: readonly T[] | null): Set<T> | null {
  if (known === null || more === null) return null;
  for (const each of more) known.add(each);
  return known.size > MAX_IDS ? null : known;
}

function dataOf(kind: ChangeKind, { ids, folderIds }: Merged): LibraryEvent['data'] {
  const member = ID_MEMBERS[kind];
  return {
    ...(member && ids ? { [member]: [...ids] } : {}),
    ...(kind === 'asset' && folderIds ? { folderIds: [...folderIds] } : {}),
  };
}
