import type { CallToolResult } from '@modelcontextprotocol/server';
import type { ProblemCode } from '../../common/errors/catalogue.js';
import type { Problem } from '../../common/errors/problem.js';
import { toProblem } from '../../common/errors/problem.filter.js';
import { currentRequestId } from '../../common/http/request-context.js';
import { logger } from '../../common/logging/logger.js';

/** What a model can do about an error. */
const NEXT_STEPS: Partial<Record<ProblemCode, string>> = {
  validation_failed: 'Correct the arguments and call again.',
  permission_denied: 'This key cannot do that. Ask a person for a key with the permission.',
  client_not_found: 'Call list_clients for the clients of this key.',
  asset_not_found: 'Call find_assets for assets that exist.',
  surface_not_allowed: 'Call find_assets with the surface for assets that are allowed there.',
  target_not_found: 'Call list_clients for the targets of the client.',
  delivery_not_found: 'Use a deliveryId that deliver_assets returned.',
  reference_not_found: 'Nothing is recorded under this kind and externalId.',
  media_invalid: 'Choose another asset.',
};

/** Formats an error for a model: code, what is wrong, what to do next. Unexpected errors only show the request id. */
export function errorResult(error: unknown): CallToolResult {
  const problem = toProblem(error);
  if (problem.status >= 500) logger.error({ err: error, code: problem.code }, 'tool failed');
  return { isError: true, content: [{ type: 'text', text: describe(problem) }] };
}

function describe(problem: Problem): string {
  const { code, status, title, detail, options } = problem;
  if (code === 'internal_error')
    return `${code}: ${title}. Request ${currentRequestId() ?? 'unknown'}. Report this to a person; retrying is unlikely to help.`;
  const text = `${code}: ${sentence(detail ?? title)}`;
  if (status >= 500 || status === 429)
    return `${text} Wait ${options.retryAfter ?? 10} seconds and call again.`;
  const next = NEXT_STEPS[code];
  return next ? `${text} ${next}` : text;
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
