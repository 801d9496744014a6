/**
 * - `owned`: claimed when it was empty.
 * - `unverified`: claimed without knowing whether it was empty.
 * - `taken_over`: ours by an operator's decision, possibly with objects of another installation.
 */
const FLAGS = ['owned', 'unverified', 'taken_over'] as const;
export type MarkerFlag = (typeof FLAGS)[number];

/** The object that says to which installation the bucket belongs, and which of its databases controls it. */
export interface Marker {
  readonly installationId: string;
  readonly flag: MarkerFlag;
  /** Null if it was written by a version without nonces. */
  readonly nonce: string | null;
}

/** Earlier versions read only the id and the flag. */
export function parseMarker(text: string): Marker {
  const [installationId = '', flag, nonce = null] = text.trim().split(' ');
  return { installationId, flag: FLAGS.find((known) => known === flag) ?? 'owned', nonce };
}

export function formatMarker({ installationId, flag, nonce }: Marker): string {
  return [installationId, flag, ...(nonce === null ? [] : [nonce])].join(' ');
}
