const MAX_BYTES = 255;

/** Not allowed in a file name on some system people unpack archives on. */
const UNSAFE = /[\p{Cc}\u202A-\u202E\u2066-\u2069<>:"/\\|?*]/gu;

/** Names that Windows keeps for devices, with any ending. */
const RESERVED = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])\s*(\..*)?$/iu;

/** A name that can be written on any system and stays in its folder. */
export function safeName(name: string): string {
  const clean = name
    .normalize('NFC')
    .replace(UNSAFE, '_')
    .trim()
    .replace(/[. ]+$/u, '');
  const visible = clean === '' ? '_' : clean;
  return shorten(RESERVED.test(visible) ? `_${visible}` : visible, '');
}

/** Gives each name of one folder a final, unique form; names that differ only in case are the same to some systems. */
export class UniqueNames {
  private readonly taken = new Set<string>();
  /** Where to go on counting: a camera gives thousands of files the same name. */
  private readonly nextNumber = new Map<string, number>();

  claim(name: string): string {
    const base = safeName(name);
    const baseKey = keyOf(base);
    for (let number = this.nextNumber.get(baseKey) ?? 1; ; number++) {
      const candidate = number === 1 ? base : shorten(base, ` (${number})`);
      const key = keyOf(candidate);
      if (this.taken.has(key)) continue;
      this.taken.add(key);
      this.nextNumber.set(baseKey, number + 1);
      return candidate;
    }
  }
}

function keyOf(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** Puts the suffix before the ending, and takes away what is too much, but never half a character. */
function shorten(name: string, suffix: string): string {
  const dot = name.lastIndexOf('.');
  const hasEnding = dot > 0 && Buffer.byteLength(name.slice(dot)) <= 20;
  const ending = hasEnding ? name.slice(dot) : '';
  const characters = [...(hasEnding ? name.slice(0, dot) : name)];
  const whole = characters.join('') + suffix + ending;
  if (Buffer.byteLength(whole) <= MAX_BYTES) return whole;
  while (Buffer.byteLength(characters.join('') + suffix + ending) > MAX_BYTES) characters.pop();
  return characters.join('').trimEnd() + suffix + ending;
}
