import { CHANGE_KINDS, type ChangeKind, type LibraryChange } from './library-change.js';

/** An event as subscribers receive it, without its id. */
export interface LibraryEvent {
  readonly kind: ChangeKind;
  readonly name: `${ChangeKind}.changed`;
  readonly data: Readonly<Record<string, readonly (string | null)[]>>;
}

type Changed = Pick<LibraryChange, 'kind' | 'ids' | 'folderIds'>;

/** Above this number, subscribers reload everything instead of single items. */
const MAX_IDS = 200;

const ID_MEMBERS = {
  asset: 'assetIds',
  folder: 'folderIds',
  trash: null,
  delivery: 'deliveryIds',
  target: 'targetIds',
} as const satisfies Record<ChangeKind, string | null>;

/** Merges changes to one client's library into at most one event of each kind: thousands of uploads cause a few events. */
export function mergeChanges(changes: readonly Changed[]): LibraryEvent[] {
  return CHANGE_KINDS.flatMap((kind): LibraryEvent[] => {
    const ofKind = changes.filter((change) => change.kind === kind);
    return ofKind.length === 0 ? [] : [{ kind, name: `${kind}.changed`, data: dataOf(kind, ofKind) }];
  });
}

function dataOf(kind: ChangeKind, changes: readonly Changed[]): LibraryEvent['data'] {
  const member = ID_MEMBERS[kind];
  const ids = union(changes.map((change) => change.ids));
  const folderIds = union(changes.map((change) => change.folderIds));
  return {
    ...(member && ids ? { [member]: ids } : {}),
    ...(kind === 'asset' && folderIds ? { folderIds } : {}),
  };
}

/** Null if there are too many. */
function union<T>(lists: readonly (readonly T[] | null)[]): T[] | null {
  const all = new Set<T>();
  for (const list of lists) {
    if (list === null) return null;
    for (const each of list) all.add(each);
    if (all.size > MAX_IDS) return null;
  }
  return [...all];
}
