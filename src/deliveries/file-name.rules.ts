import { fileType, type SupportedMime, withoutMediaExtension } from '../media/file-types.js';

const MAX_STEM_LENGTH = 80;

/** Letters that do not become ASCII when they lose their diacritics. */
const LETTERS = new Map(
  `ß ss æ ae œ oe ø o ł l đ d ð d þ th ı i
   α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t υ y φ f χ ch ψ ps ω o
   а a б b в v г g ґ g д d ђ dj е e є ye ж zh з z и i і i ј j к k л l љ lj м m н n њ nj о o п p р r с s т t ћ c
   у u ф f х kh ц ts ч ch џ dz ш sh щ shch ы y э e ю yu я ya`
    .trim()
    .split(/\s+/)
    .flatMap((letter, index, all) => (index % 2 === 0 ? [[letter, all[index + 1]!] as const] : [])),
);

/** An ASCII file name from the first of these texts that can be written in ASCII, otherwise one that only says what kind of file it is. */
export function fileNameOf(texts: readonly string[], mimeType: SupportedMime, assetId: string): string {
  const stem = texts.map(asciiStem).find((candidate) => candidate !== '') ?? neutralStem(mimeType, assetId);
  return `${stem}.${fileType(mimeType).extensions[0]}`;
}

function neutralStem(mimeType: SupportedMime, assetId: string): string {
  // The last digits of an id are random.
  return `${mimeType.split('/')[0]}-${assetId.slice(-8)}`;
}

/** Letters of other scripts are removed. Empty if only digits are left of a name that had letters. */
function asciiStem(text: string): string {
  const ascii = [...withoutMediaExtension(text).normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()]
    .map((letter) => LETTERS.get(letter) ?? letter)
    .join('');
  const stem = ascii
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_STEM_LENGTH + 1)
    .replace(/^-+/, '')
    .slice(0, MAX_STEM_LENGTH)
    .replace(/-+$/, '');
  return /[a-z]/.test(stem) || !/\p{L}/u.test(ascii) ? stem : '';
}
