import { getSchemaPath } from '@nestjs/swagger';
import { CATALOGUE, type ProblemCode } from '../errors/catalogue.js';

const MEDIA_TYPE = 'application/problem+json';
const ALL_CODES = Object.keys(CATALOGUE) as ProblemCode[];

const RETRY_AFTER = {
  description: 'Seconds to wait before retrying',
  schema: { type: 'integer' as const },
  example: 5,
};

/** Each code once, in the order of the catalogue. */
export function groupByStatus(codes: readonly ProblemCode[]): Map<number, ProblemCode[]> {
  const wanted = new Set(codes);
  const groups = new Map<number, ProblemCode[]>();
  for (const code of ALL_CODES) {
    const [status] = CATALOGUE[code];
    if (wanted.has(code)) groups.set(status, [...(groups.get(status) ?? []), code]);
  }
  return groups;
}

/** Describes a response that can be any of these problems, with an example of each. */
export function problemResponse(codes: readonly ProblemCode[]) {
  const isRetryable = codes.some(
    (code) => [429, 503].includes(CATALOGUE[code][0]) || code === 'finalize_in_progress',
  );
  return {
    ...(isRetryable ? { headers: { 'Retry-After': RETRY_AFTER } } : {}),
    description: codes.map((code) => `\`${code}\`: ${CATALOGUE[code][1]}`).join('; '),
    content: {
      [MEDIA_TYPE]: {
        schema: { $ref: getSchemaPath('ProblemDocument') },
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  };
}

/** The codes that a response describes. */
export function codesIn(response: object): ProblemCode[] {
  const { content } = response as { content?: Record<string, { examples?: object }> };
  return Object.keys(content?.[MEDIA_TYPE]?.examples ?? {}) as ProblemCode[];
}

/** One example of every problem, for the components of the document. */
export function problemExamples() {
  return Object.fromEntries(ALL_CODES.map((code) => [code, { value: exampleOf(code) }]));
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
