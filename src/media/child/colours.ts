import type { Metadata } from 'sharp';

const TAGS_AT = 132;
/** The names of sRGB profiles; the last two are the compact ones that scalers and editors embed. */
const SRGB_NAMES = /sRGB|^c2$|^uRGB$/;

/** Whether the colours of an image are sRGB. Without a profile they count as sRGB, unless they are not RGB at all. */
export function isSrgb({ space, icc }: Pick<Metadata, 'space' | 'icc'>): boolean {
  if (space === 'cmyk' || space === 'lab') return false;
  return icc === undefined || SRGB_NAMES.test(profileName(icc));
}

/** The description of the profile: ASCII in version 2, UTF-16 in version 4 (ICC.1, `desc`). Empty if it cannot be read. */
function profileName(icc: Buffer): string {
  try {
    const tags = Math.min(icc.readUInt32BE(128), 100);
    for (let tag = 0; tag < tags; tag += 1) {
      const at = TAGS_AT + tag * 12;
      if (icc.toString('latin1', at, at + 4) !== 'desc') continue;
      const start = icc.readUInt32BE(at + 4);
      const isUnicode = icc.toString('latin1', start, start + 4) === 'mluc';
      const length = Math.min(icc.readUInt32BE(start + (isUnicode ? 20 : 8)), 256);
      const from = start + (isUnicode ? icc.readUInt32BE(start + 24) : 12);
      // The names we look for are ASCII, so dropping the zeroes is enough.
      return icc
        .toString('latin1', from, from + length)
        .replaceAll('\0', '')
        .trim();
    }
  } catch {
    // An offset points outside the profile.
  }
  return '';
}
