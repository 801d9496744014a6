import type { TransformFnParams } from 'class-transformer';

/** For `@Transform`: text without surrounding white space, in one Unicode form; anything else is left to the validators. */
export function trimmed({ value }: TransformFnParams): unknown {
  return typeof value === 'string' ? value.normalize('NFC').trim() : value;
}
