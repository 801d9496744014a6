import { applyDecorators } from '@nestjs/common';
import { ApiOperation, ApiResponse } from '@nestjs/swagger';
import type { ProblemCode } from '../errors/catalogue.js';
import { groupByStatus, problemResponse } from './problem-responses.js';

/**
 * Documents a route: its summary and its own error codes. The codes of guards and pipes are added automatically: see common-problems.ts.
 */
export function Operation(
  summary: string,
  codes: readonly ProblemCode[] = [],
  description?: string,
): MethodDecorator {
  return applyDecorators(
    ApiOperation({ summary, ...(description ? { description } : {}) }),
    ...[...groupByStatus(codes)].map(([status, group]) => ApiResponse({ status, ...problemResponse(group) })),
  );
}
