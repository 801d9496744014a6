import type { ValueTransformer } from 'typeorm';

/** Byte sizes and durations are far below 2^53, so they are numbers; pg would return them as text. */
export const bigintAsNumber: ValueTransformer = {
  from: (value: string | null) => (value === null ? null : Number(value)),
  to: (value: number | null) => value,
};

/** The same for a list. */
export const bigintsAsNumbers: ValueTransformer = {
  from: (values: string[] | null) => values?.map(Number) ?? null,
  to: (values: number[] | null) => values,
};
