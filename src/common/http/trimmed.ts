import type { TransformFnParams } from 'class-transformer';

/** For `@Transform`: trims text and normalizes it to one Unicode form. Other values are left to the validators. */
export function trimmed({ value }: TransformFnParams): unknown {
  return typeof value === 'string' ? value.normalize('NFC').trim() : value;
}
