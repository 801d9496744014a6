import type { ValueTransformer } from 'typeorm';

/** Byte sizes and durations stay far below 2^53, so they travel as numbers; pg would hand them over as text. */
export const bigintAsNumber: ValueTransformer = {
  from: (value: string | null) => (value === null ? null : Number(value)),
  to: (value: number | null) => value,
};

/** The same for a list of them. */
export const bigintsAsNumbers: ValueTransformer = {
  from: (values: string[] | null) => values?.map(Number) ?? null,
  to: (values: number[] | null) => values,
};
