import { CATALOGUE, type ProblemCode } from './catalogue.js';

export interface FieldError {
  path: string;
  message: string;
}

export interface ProblemOptions {
  errors?: readonly FieldError[];
  /** Seconds after which the request can be retried; sent as `Retry-After`. */
  retryAfter?: number;
  headers?: Record<string, string>;
  /** Additional members of the document (RFC 9457, section 3.2). */
  extra?: Record<string, unknown>;
  /** For the log only, never shown. */
  cause?: unknown;
}

/** A client error or server error of the catalogue. */
export class Problem extends Error {
  readonly status: number;
  readonly title: string;
  readonly options: ProblemOptions;

  constructor(
    readonly code: ProblemCode,
    readonly detail?: string,
    options: ProblemOptions = {},
  ) {
    super(detail ?? CATALOGUE[code][1], { cause: options.cause });
    this.name = 'Problem';
    [this.status, this.title] = CATALOGUE[code];
    this.options = options;
  }

  static validation(path: string, message: string): Problem {
    return new Problem('validation_failed', `${path}: ${message}`, { errors: [{ path, message }] });
  }
}
