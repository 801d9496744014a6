import { applyDecorators } from '@nestjs/common';
import { ApiOperation, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { CATALOGUE, type ProblemCode } from '../errors/catalogue.js';

/** Documents a route: its summary and every error code it may answer, grouped by status, each with an example. */
export function Operation(
  summary: string,
  codes: readonly ProblemCode[] = [],
  description?: string,
): MethodDecorator {
  return applyDecorators(
    ApiOperation({ summary, ...(description ? { description } : {}) }),
    ...problemResponses(codes),
  );
}

export function problemResponses(codes: readonly ProblemCode[]): MethodDecorator[] {
  const byStatus = groupByStatus(codes);
  return [...byStatus].map(([status, group]) => ApiResponse({ status, ...problemResponse(group) }));
}

const RETRY_AFTER = {
  description: 'Seconds after which a repeat makes sense',
  schema: { type: 'integer' as const },
  example: 5,
};

export function problemResponse(codes: readonly ProblemCode[]) {
  const isRetryable = codes.some(
    (code) => [429, 503].includes(CATALOGUE[code][0]) || code === 'finalize_in_progress',
  );
  return {
    ...(isRetryable ? { headers: { 'Retry-After': RETRY_AFTER } } : {}),
    description: codes.map((code) => `\`${code}\`: ${CATALOGUE[code][1]}`).join('; '),
    content: {
      'application/problem+json': {
        schema: { $ref: getSchemaPath('ProblemDocument') },
        examples: Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code) }])),
      },
    },
  };
}

function groupByStatus(codes: readonly ProblemCode[]): Map<number, ProblemCode[]> {
  const groups = new Map<number, ProblemCode[]>();
  for (const code of codes) {
    const [status] = CATALOGUE[code];
    groups.set(status, [...(groups.get(status) ?? []), code]);
  }
  return groups;
}

function exampleOf(code: ProblemCode) {
  const [status, title] = CATALOGUE[code];
  return {
    type: `urn:asset-library:problem:${code}`,
    title,
    status,
    detail: title,
    code,
    requestId: '0198a3c4-7b1e-7cc0-8f5e-2f5d1c9a7b10',
  };
}
