import type { components } from './schema';

type ProblemSchema = components['schemas']['ProblemDocument'];
export type ProblemDocument = Omit<ProblemSchema, 'code'> & { code: ProblemCode };
/** The API's codes, and one for requests without a response. */
export type ProblemCode = ProblemSchema['code'] | 'unreachable' | 'unknown';
export interface FieldError {
  path: string;
  message: string;
}

/** The error of every failed request: the API's problem document, or our own text if there was no response. */
export class ApiProblem extends Error {
  readonly status: number;
  readonly code: ProblemCode;
  readonly title: string;
  readonly detail: string;
  /** Finds the error in the log. Null if the caller can correct it, because then the log contains nothing more. */
  readonly requestId: string | null;
  readonly errors: readonly FieldError[];
  /** Seconds to wait before retrying. */
  readonly retryAfter: number | null;
  /** The whole document, including members that only some codes have. */
  readonly document: Readonly<Record<string, unknown>>;

  constructor(document: Partial<ProblemDocument> & { status: number }, retryAfter: number | null = null) {
    super(document.title ?? `Request failed with status ${document.status}`);
    this.name = 'ApiProblem';
    this.status = document.status;
    this.code = document.code ?? 'unknown';
    this.title = document.title ?? 'The request failed';
    this.detail = document.detail ?? '';
    this.requestId = document.status >= 500 ? (document.requestId ?? null) : null;
    this.errors = document.errors ?? [];
    this.retryAfter = retryAfter;
    this.document = { ...document };
  }

  static async fromResponse(response: Response): Promise<ApiProblem> {
    const document = await readDocument(response);
    const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN);
    return new ApiProblem(
      {
        ...document,
        status: response.status,
        requestId: document.requestId ?? response.headers.get('X-Request-Id') ?? undefined,
      },
      Number.isFinite(retryAfter) ? retryAfter : null,
    );
  }

  /** No response: the browser is offline or the server is down. */
  static unreachable(): ApiProblem {
    return new ApiProblem({
      status: 0,
      code: 'unreachable',
      title: 'The server cannot be reached',
      detail: 'Check your connection, then try again.',
    });
  }
}

async function readDocument(response: Response): Promise<Partial<ProblemDocument>> {
  if (!response.headers.get('Content-Type')?.includes('json')) return {};
  try {
    return (await response.json()) as Partial<ProblemDocument>;
  } catch {
    return {};
  }
}

/** `errors` by field name, as React Aria's `<Form validationErrors>` expects them. */
export function validationErrors(error: unknown): Record<string, string[]> {
  if (!(error instanceof ApiProblem)) return {};
  const byField: Record<string, string[]> = {};
  for (const { path, message } of error.errors) (byField[path] ??= []).push(message);
  return byField;
}
