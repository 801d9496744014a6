import { TypeID } from 'typeid-js';
import { isUuid } from '../common/ids.js';

const PREFIX = 'asset';

/** The asset's id spelled as a TypeID: one identity, safe to hand to an agent, to log and to paste. */
export function toAssetRef(assetId: string): string {
  return TypeID.fromUUID(PREFIX, assetId).toString();
}

/** Reads an id or an `assetRef`; null for anything else. */
export function parseAssetId(text: string): string | null {
  if (isUuid(text)) return text.toLowerCase();
  try {
    return TypeID.fromString(text, PREFIX).toUUID();
  } catch {
    return null;
  }
}
