import { ValidateIf } from 'class-validator';

/** The property can be omitted but not null, unlike with `@IsOptional()`. */
export const Omittable = () => ValidateIf((_object, value) => value !== undefined);
