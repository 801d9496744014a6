import { CLIENT_ID_PATTERN, isUuid } from '../common/ids.js';

/**
 * The only code that builds and parses object keys. Every key is below its client's prefix, and no user text ever enters a key.
 *
 *   clients/<clientId>/uploads/<sessionId>                      what a browser uploads; the only keys a URL is ever issued for
 *   clients/<clientId>/assets/<assetId>/<attempt>               what was verified and is kept
 *   clients/<clientId>/assets/<assetId>/renditions/<rendition>  made from it, and can be made again
 */
export type ParsedKey =
  | { kind: 'upload'; clientId: string; sessionId: string }
  | { kind: 'original'; clientId: string; assetId: string; attempt: string }
  | { kind: 'rendition'; clientId: string; assetId: string; rendition: string };

/** Names the installation that owns the bucket. Outside `clients/`, so that it never collides with another key. */
export const MARKER_KEY = 'installation';

const RENDITION_PATTERN = /^[a-z0-9][a-z0-9.-]{0,99}$/;

export function uploadKey(clientId: string, sessionId: string): string {
  return checked(`clients/${clientId}/uploads/${sessionId}`);
}

export function originalKey(clientId: string, assetId: string, attempt: string): string {
  return checked(`clients/${clientId}/assets/${assetId}/${attempt}`);
}

export function renditionKey(clientId: string, assetId: string, rendition: string): string {
  return checked(`clients/${clientId}/assets/${assetId}/renditions/${rendition}`);
}

/** Null for keys that none of the builders above can make: we must not touch them. */
export function parseKey(key: string): ParsedKey | null {
  const [root, clientId = '', area, id = '', ...rest] = key.split('/');
  if (root !== 'clients' || !CLIENT_ID_PATTERN.test(clientId) || !isKeyId(id)) return null;
  if (area === 'uploads' && rest.length === 0) return { kind: 'upload', clientId, sessionId: id };
  if (area !== 'assets') return null;
  const [first = '', second = ''] = rest;
  if (rest.length === 1 && isKeyId(first)) return { kind: 'original', clientId, assetId: id, attempt: first };
  if (rest.length === 2 && first === 'renditions' && RENDITION_PATTERN.test(second)) {
    return { kind: 'rendition', clientId, assetId: id, rendition: second };
  }
  return null;
}

/** Keys are case-sensitive and ids are not: in capitals, it would be an object that no record can own. */
function isKeyId(text: string): boolean {
  return isUuid(text) && text === text.toLowerCase();
}

/** A key that cannot be parsed would be an orphan that nobody may delete. */
function checked(key: string): string {
  if (parseKey(key) === null) throw new Error(`Not a valid object key: ${key}`);
  return key;
}
