import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsDate } from 'class-validator';
import { parseIsoTime } from '../iso-time.js';

/** A time in a body or query, given as ISO 8601; becomes a `Date`. */
export const IsTime = () =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? (parseIsoTime(value) ?? value) : value,
    ),
    IsDate({ message: '$property must be a time such as 2030-01-01T00:00:00Z, in the years 1970 to 9999' }),
  );
