import type { Scope } from '../scope/scope';

export function libraryPath({ side, clientId }: Scope): string {
  return side === 'portal' ? '/library' : `/clients/${encodeURIComponent(clientId)}/assets`;
}

export function trashPath({ side, clientId }: Scope): string {
  return side === 'portal' ? '/library/trash' : `/clients/${encodeURIComponent(clientId)}/trash`;
}
