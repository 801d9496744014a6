import type { components } from './schema';

type ProblemSchema = components['schemas']['ProblemDocument'];
export type ProblemDocument = Omit<ProblemSchema, 'code'> & { code: ProblemCode };
/** The API's codes, and one of ours for no answer at all. */
export type ProblemCode = ProblemSchema['code'] | 'unreachable' | 'unknown';
export interface FieldError {
  path: string;
  message: string;
}

/** What every failed request throws: the API's problem document, or our own words when no answer came. */
export class ApiProblem extends Error {
  readonly status: number;
  readonly code: ProblemCode;
  readonly title: string;
  readonly detail: string;
  readonly requestId: string | null;
  readonly errors: readonly FieldError[];
  /** Seconds to wait before a repeat makes sense. */
  readonly retryAfter: number | null;
  /** The whole document, with members that only some codes have. */
  readonly document: Readonly<Record<string, unknown>>;

  constructor(document: Partial<ProblemDocument> & { status: number }, retryAfter: number | null = null) {
    super(document.title ?? `Request failed with status ${document.status}`);
    this.name = 'ApiProblem';
    this.status = document.status;
    this.code = document.code ?? 'unknown';
    this.title = document.title ?? 'The request failed';
    this.detail = document.detail ?? '';
    this.requestId = document.requestId ?? null;
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

  /** No answer at all: offline, or the server is down. */
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

/** `errors` as React Aria's `<Form validationErrors>` wants them: by field name. */
export function validationErrors(error: unknown): Record<string, string[]> {
  if (!(error instanceof ApiProblem)) return {};
  const byField: Record<string, string[]> = {};
  for (const { path, message } of error.errors) (byField[path] ??= []).push(message);
  return byField;
}
