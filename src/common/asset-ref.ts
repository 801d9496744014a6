import { TypeID } from 'typeid-js';
import { isUuid } from './ids.js';

const PREFIX = 'asset';

/** Crockford's Base32, as in TypeIDs: ten bits at a time. */
const ALPHABET = [...'0123456789abcdefghjkmnpqrstvwxyz'];
const PAIRS = ALPHABET.flatMap((first) => ALPHABET.map((second) => first + second));
const HYPHEN = 0x2d;

/**
 * The asset's id as a TypeID, which is safe to pass to agents, to log and to paste. A page of a listing needs hundreds,
 * and the TypeID library takes eight times as long.
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

const REF_PATTERN = /^asset_[0-7][0-9a-hjkmnp-tv-z]{25}$/;
const HEX = [...'0123456789abcdef'];
const VALUES = new Uint8Array(128);
ALPHABET.forEach((character, value) => (VALUES[character.charCodeAt(0)] = value));

/** Parses an `assetRef` as agents must write it: with the prefix `asset`, in lower case. Null for anything else. */
export function parseAssetRef(text: unknown): string | null {
  if (typeof text !== 'string' || !REF_PATTERN.test(text)) return null;
  let id = '';
  let digits = 0;
  let bits = 0;
  // 130 bits contain 128: the first two are padding.
  let pending = -2;
  for (let index = PREFIX.length + 1; index < text.length; index++) {
    bits = ((bits << 5) | VALUES[text.charCodeAt(index)]!) & 0xfff;
    pending += 5;
    for (; pending >= 4; digits++) {
      if (digits === 8 || digits === 12 || digits === 16 || digits === 20) id += '-';
      pending -= 4;
      id += HEX[(bits >> pending) & 0xf]!;
    }
  }
  return id;
}

/** Parses an id or an `assetRef`; null for anything else. */
export function parseAssetId(text: string): string | null {
  if (isUuid(text)) return text.toLowerCase();
  try {
    return TypeID.fromString(text, PREFIX).toUUID();
  } catch {
    return null;
  }
}
