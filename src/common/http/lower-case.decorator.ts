import { Transform } from 'class-transformer';

/** For ids: a UUID can be in either case; ours are lower case and compared as text. */
export const LowerCase = () =>
  Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.toLowerCase() : value));
