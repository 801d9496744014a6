import type { ValueTransformer } from 'typeorm';

/** Byte sizes and durations stay far below 2^53, so they travel as numbers; pg would hand them over as text. */
export const bigintAsNumber: ValueTransformer = {
  from: (value: string | null) => (value === null ? null : Number(value)),
  to: (value: number | null) => value,
};
