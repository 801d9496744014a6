import { Transform } from 'class-transformer';

/** For numbers in a query: only decimal digits are read as one, so that `0x10`, `1e1` and ` 5` are left to the validators to refuse. */
export const WholeNumber = () =>
  Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^[0-9]{1,15}$/.test(value) ? Number(value) : value,
  );
