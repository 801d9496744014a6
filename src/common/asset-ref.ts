import { TypeID } from 'typeid-js';
import { isUuid } from './ids.js';

const PREFIX = 'asset';
const REF_PATTERN = /^asset_[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** The asset's id as a TypeID, which is safe to pass to agents, to log and to paste. */
export function toAssetRef(assetId: string): string {
  return TypeID.fromUUID(PREFIX, assetId).toString();
}

/** Parses an `assetRef` as agents must write it: with the prefix `asset`, in lower case. Null for anything else. */
export function parseAssetRef(text: unknown): string | null {
  if (typeof text !== 'string' || !REF_PATTERN.test(text)) return null;
  // `toUUID` throws if the bits are of no known version of UUIDs.
  const hex = Buffer.from(TypeID.fromString(text, PREFIX).toUUIDBytes()).toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Parses an id or an `assetRef`; null for anything else. */
export function parseAssetId(text: string): string | null {
  return isUuid(text) ? text.toLowerCase() : parseAssetRef(text);
}
