import { Transform } from 'class-transformer';

/** For ids: a UUID may come in either case; ours are written in lower case and compared as text. */
export const LowerCase = () =>
  Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.toLowerCase() : value));
