import type { ValidationError } from '@nestjs/common';
import { type FieldError, Problem } from './problem.js';

/** What class-validator found, as one problem that names every field. */
export function validationProblem(errors: ValidationError[]): Problem {
  const fields = errors.flatMap((error) => fieldErrors(error, ''));
  return new Problem('validation_failed', fields.map(({ message }) => message).join('; '), {
    errors: fields,
  });
}

function fieldErrors(error: ValidationError, parent: string): FieldError[] {
  const path = parent ? `${parent}.${error.property}` : error.property;
  const own = Object.values(error.constraints ?? {}).map((message) => ({ path, message }));
  return [...own, ...(error.children ?? []).flatMap((child) => fieldErrors(child, path))];
}
