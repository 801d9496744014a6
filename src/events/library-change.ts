/** The kinds of changes that the triggers record. */
export const CHANGE_KINDS = ['asset', 'folder', 'trash', 'delivery', 'target'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** The changes of one statement to one client's library. */
export interface LibraryChange {
  /** Random, so that it reveals nothing, not even how much other clients do. */
  readonly id: string;
  /** In commit order, over all clients. */
  readonly position: number;
  readonly clientId: string;
  readonly kind: ChangeKind;
  /** Null if there are too many ids, or none that matter. */
  readonly ids: readonly string[] | null;
  /** For assets: their current and previous folders, where null is the top level. Null instead of a list if there are too many. */
  readonly folderIds: readonly (string | null)[] | null;
}
