import { TypeID } from 'typeid-js';
import { isUuid } from '../common/ids.js';

const PREFIX = 'asset';

/** Crockford's Base32, as TypeIDs use it: ten bits at a time. */
const ALPHABET = [...'0123456789abcdefghjkmnpqrstvwxyz'];
const PAIRS = ALPHABET.flatMap((first) => ALPHABET.map((second) => first + second));
const HYPHEN = 0x2d;

/**
 * The asset's id spelled as a TypeID: one identity, safe to hand to an agent, to log and to paste. A page of a listing needs
 * hundreds, and the library takes eight times as long.
 */
export function toAssetRef(assetId: string): string {
  let ref = `${PREFIX}_`;
  let bits = 0;
  // 128 bits are padded to 130 at the front.
  let pending = 2;
  for (let index = 0; index < assetId.length; index++) {
    const code = assetId.charCodeAt(index);
    if (code === HYPHEN) continue;
    bits = ((bits << 4) | hexDigit(code)) & 0xfff;
    pending += 4;
    if (pending < 10) continue;
    pending -= 10;
    ref += PAIRS[(bits >> pending) & 0x3ff]!;
  }
  return ref;
}

function hexDigit(code: number): number {
  return code <= 0x39 ? code - 0x30 : (code | 0x20) - 0x57;
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
