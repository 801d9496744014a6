/** The kinds of changes that the triggers report. */
export const CHANGE_KINDS = ['asset', 'folder', 'trash', 'delivery', 'target'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** The changes of one statement to one client's library. */
export interface LibraryChange {
  /** The same for all changes of a transaction, which arrive consecutively. */
  readonly transaction: string;
  readonly clientId: string;
  readonly kind: ChangeKind;
  /** Null if there are too many ids, or none that matter. */
  readonly ids: readonly string[] | null;
  /** For assets: their current and previous folders, where null is the top level. Null instead of a list if there are too many. */
  readonly folderIds: readonly (string | null)[] | null;
}

/** Parses a payload of the channel; null for anything that our triggers did not send. */
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
