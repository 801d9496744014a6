import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsBoolean, IsOptional } from 'class-validator';

/** An optional `true` or `false`, in a query or a body. */
export const Flag = () => applyDecorators(IsOptional(), Transform(toFlag), IsBoolean());

function toFlag({ value }: { value: unknown }): unknown {
  return value === 'true' ? true : value === 'false' ? false : value;
}
