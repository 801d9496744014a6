import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import type { Response } from 'express';
import { NOT_STORED } from '../http/not-stored.js';
import { currentRequestId } from '../http/request-context.js';
import { logger } from '../logging/logger.js';
import { databaseProblem } from './database-errors.js';
import type { ProblemCode } from './catalogue.js';
import { Problem } from './problem.js';
import { toProblemDocument } from './problem-document.js';

/** The only place where exceptions become responses. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    sendProblem(host.switchToHttp().getResponse<Response>(), error);
  }
}

function sendProblem(response: Response, error: unknown): void {
  const problem = toProblem(error);
  if (problem.status >= 500) logger.error({ err: error, code: problem.code }, 'request failed');
  if (response.headersSent) {
    // It is too late for an error response, so close the connection to mark the body as incomplete.
    response.destroy();
    return;
  }
  // Headers that were set for the response that failed.
  for (const name of ['Content-Length', 'Content-Range', 'Content-Disposition', 'ETag', 'Accept-Ranges'])
    response.removeHeader(name);
  response.setHeader('Cache-Control', NOT_STORED);
  if (problem.options.retryAfter !== undefined)
    response.setHeader('Retry-After', String(problem.options.retryAfter));
  for (const [name, value] of Object.entries(problem.options.headers ?? {})) response.setHeader(name, value);
  if (problem.status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
  response
    .status(problem.status)
    .type('application/problem+json')
    .send(JSON.stringify(toProblemDocument(problem, currentRequestId() ?? '')));
}

/** Maps any exception to a problem of the catalogue. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const fromDatabase = databaseProblem(error);
  if (fromDatabase) return fromDatabase;
  if (error instanceof HttpException) return fromHttpException(error);
  return fromHttpLibrary(error) ?? new Problem('internal_error', undefined, { cause: error });
}

const CODE_BY_STATUS: Partial<Record<number, ProblemCode>> = {
  400: 'malformed_request',
  401: 'unauthenticated',
  404: 'route_not_found',
  405: 'method_not_allowed',
  413: 'payload_too_large',
  415: 'unsupported_body',
  429: 'too_many_attempts',
};

function fromHttpException(error: HttpException): Problem {
  const code = CODE_BY_STATUS[error.getStatus()];
  return code ? new Problem(code, error.message) : new Problem('internal_error', undefined, { cause: error });
}

/** body-parser and Express set a status on their errors. */
function fromHttpLibrary(error: unknown): Problem | null {
  if (!(error instanceof Error) || !('status' in error) || typeof error.status !== 'number') return null;
  const code = CODE_BY_STATUS[error.status];
  return code ? new Problem(code) : null;
}
