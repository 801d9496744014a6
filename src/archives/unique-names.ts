import { hash } from 'node:crypto';
import { splitName } from '../assets/file-names.rules.js';

const LONG = 64;

/** Makes the names in one folder unique. Names that differ only in case count as equal, because they are on some systems. */
export class UniqueNames {
  private readonly taken = new Set<string>();
  /**
   * The next number to try. Long names are shortened to make room for a number, so different names can lead to the same numbered names.
   * They share a counter, and no number is tried twice.
   */
  private readonly nextNumber = new Map<string, number>();

  /** Takes a safe name and makes it unique with a number before the extension. */
  claim(name: string): string {
    if (this.take(name)) return name;
    for (let digits = 1; ; digits++) {
      const { stem, extension } = splitName(name, ' ()'.length + digits);
      const counter = keyOf(`${stem}/${digits}${extension}`);
      const end = 10 ** digits;
      for (let number = this.nextNumber.get(counter) ?? Math.max(2, end / 10); number < end; number++) {
        const candidate = `${stem} (${number})${extension}`;
        if (!this.take(candidate)) continue;
        this.nextNumber.set(counter, number + 1);
        return candidate;
      }
      this.nextNumber.set(counter, end);
    }
  }

  private take(name: string): boolean {
    const key = keyOf(name);
    if (this.taken.has(key)) return false;
    this.taken.add(key);
    return true;
  }
}

/** Long names by their digest: a plan keeps the names of all files of a folder. */
function keyOf(name: string): string {
  const key = name.normalize('NFC').toLowerCase();
  return key.length > LONG ? hash('sha256', key, 'base64') : key;
}
