import type { ProblemCode } from './catalogue.js';
import type { FieldError, Problem } from './problem.js';

/** A request can have as many errors as values, but nobody reads more than a few. */
export const MAX_ERRORS = 20;

/** The members that problem documents of every code can have. `src/openapi` describes them together with those of single codes. */
export interface ProblemMembers {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: ProblemCode;
  readonly requestId: string;
  readonly errors?: readonly FieldError[];
  readonly errorCount?: number;
}

export function toProblemDocument(
  problem: Problem,
  requestId: string,
): ProblemMembers & Record<string, unknown> {
  const { errors, extra } = problem.options;
  return {
    type: `urn:asset-library:problem:${problem.code}`,
    title: problem.title,
    status: problem.status,
    detail: problem.detail ?? problem.title,
    code: problem.code,
    requestId,
    ...(errors ? { errors: errors.slice(0, MAX_ERRORS), errorCount: errors.length } : {}),
    ...extra,
  };
}
