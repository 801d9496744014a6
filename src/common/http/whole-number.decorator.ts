import { Transform } from 'class-transformer';

/** For numbers in a query: only decimal digits are parsed, so that validators reject `0x10`, `1e1` and ` 5`. */
export const WholeNumber = () =>
  Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^[0-9]{1,15}$/.test(value) ? Number(value) : value,
  );
