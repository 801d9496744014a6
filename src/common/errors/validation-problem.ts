import type { ValidationError } from '@nestjs/common';
import { type FieldError, Problem } from './problem.js';
import { MAX_ERRORS } from './problem-document.js';

/** Combines the errors of class-validator into one problem that names every field. */
export function validationProblem(errors: ValidationError[]): Problem {
  const fields = errors.flatMap((error) => fieldErrors(error, ''));
  const shown = fields.slice(0, MAX_ERRORS).map(({ message }) => message);
  const more = fields.length - shown.length;
  const detail = shown.join('; ') + (more > 0 ? `; and ${more} more` : '');
  return new Problem('validation_failed', detail, { errors: fields });
}

function fieldErrors(error: ValidationError, parent: string): FieldError[] {
  const path = parent ? `${parent}.${error.property}` : error.property;
  const own = Object.values(error.constraints ?? {}).map((message) => ({ path, message }));
  return [...own, ...(error.children ?? []).flatMap((child) => fieldErrors(child, path))];
}
