/** What the triggers on the library's tables tell of. */
export const CHANGE_KINDS = ['asset', 'folder', 'trash', 'delivery', 'target'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** One statement's changes to one client's library. */
export interface LibraryChange {
  /** The same for all changes of a transaction, which arrive one after the other. */
  readonly transaction: string;
  readonly clientId: string;
  readonly kind: ChangeKind;
  /** Null: too many to name, or none that matter. */
  readonly ids: readonly string[] | null;
  /** Of assets: the folders they are and were in. A null among them is the top level; null instead of them: too many to name. */
  readonly folderIds: readonly (string | null)[] | null;
}

/** Reads a payload of the channel; null for anything that our triggers did not send. */
export function parseChange(payload: string): LibraryChange | null {
  try {
    const change = JSON.parse(payload) as Partial<LibraryChange>;
    const isOurs =
      typeof change.transaction === 'string' &&
      typeof change.clientId === 'string' &&
      CHANGE_KINDS.some((kind) => kind === change.kind);
    return isOurs ? (change as LibraryChange) : null;
  } catch {
    return null;
  }
}
