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
  /** Null in a marker that nobody has claimed since nonces exist. */
  readonly nonce: string | null;
}

export function parseMarker(text: string): Marker {
  const [installationId = '', flag, nonce = null] = text.trim().split(' ');
  return { installationId, flag: FLAGS.find((known) => known === flag) ?? 'owned', nonce };
}

export function formatMarker({ installationId, flag, nonce }: Marker & { nonce: string }): string {
  return [installationId, flag, nonce].join(' ');
}
