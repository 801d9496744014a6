import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ui from '../i18n/en/ui.json';
import { failureOf, wordingOfFailure, type FailureReason, UploadFailure } from '../upload/engine/failure';
import uploads from '../i18n/en/uploads.json';
import { wordingForClients } from './client-wording';

/** Nothing that only an operator knows or can change. */
const OPERATORS_WORDS =
  /\b(server|restart\w*|settings?|credentials?|bucket|CORS|cross-origin|origin|object store|database|API|JSON|query|header|body|host|route|role|permission|diagnostics|administrator|configur\w*|token)\b/i;

interface Example {
  readonly value: { readonly code: string; readonly status: number; readonly title: string };
}
interface Response {
  readonly content?: Record<string, { examples?: Record<string, unknown> }>;
}
interface Operation {
  readonly responses: Record<string, Response & { $ref?: string }>;
}
const api = JSON.parse(readFileSync(join(__dirname, '../../../openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
  components: { examples: Record<string, Example>; responses: Record<string, Response> };
};

/** The problems of all operations whose path begins with one of these. */
function problemsBelow(...prefixes: string[]): Example['value'][] {
  const operations = Object.entries(api.paths)
    .filter(([path]) => prefixes.some((prefix) => path.startsWith(prefix)))
    .flatMap(([, methods]) => Object.values(methods));
  const codes = operations
    .flatMap(({ responses }) => Object.values(responses))
    .flatMap(({ $ref }) => ($ref ? api.components.responses[$ref.split('/').at(-1)!]! : []))
    .flatMap(({ content }) => Object.keys(content?.['application/problem+json']?.examples ?? {}));
  return [...new Set(codes)].map((code) => api.components.examples[code]!.value);
}

const spoken = (wording: keyof typeof ui.forClients) =>
  `${ui.forClients[wording].title}. ${ui.forClients[wording].detail}`;

describe("What a client's own users read", () => {
  const problems = problemsBelow('/portal', '/auth');

  it('covers the problems of the portal', () => {
    expect(problems.length).toBeGreaterThan(40);
  });

  it.each([
    ...problems.map(({ code, status, title }) => ({ code, status, title })),
    { code: 'unreachable', status: 0, title: '' },
    { code: 'unknown', status: 502, title: '' },
    { code: 'unknown', status: 413, title: '' },
    { code: 'a_code_of_tomorrow', status: 500, title: '' },
  ])('about $code ($status) has no words for operators', ({ code, status, title }) => {
    const wording = wordingForClients({ code, status });
    const text = wording === null ? title : spoken(wording);
    expect(text).not.toBe('');
    expect(text).not.toMatch(OPERATORS_WORDS);
    if (status >= 500) expect(text).toMatch(/contact your agency/);
  });

  const ofProblems = problemsBelow('/portal/assets/upload-session', '/portal/assets/folders').flatMap(
    (problem) =>
      (['folder', 'session', 'transfer', 'finalize'] as const).map((step) =>
        failureOf(step, { ...problem, detail: problem.title, requestId: 'r1', retryAfter: null }),
      ),
  );
  const reasonsOfProblems = new Set(ofProblems.map(({ reason }) => reason));
  const failures = [
    ...ofProblems,
    ...(Object.keys(uploads.reasons) as FailureReason[])
      .filter((reason) => !reasonsOfProblems.has(reason))
      .map((reason) => new UploadFailure('transfer', reason)),
    failureOf('session', new TypeError('a bug')),
  ];

  it.each(
    failures.map(
      (failure) => [failure.step, failure.facts.code ?? 'no code', failure.reason, failure] as const,
    ),
  )(
    'about an upload that fails while in "%s" with %s (%s) has none either',
    (_step, _code, reason, failure) => {
      const wording = wordingOfFailure(failure);
      const own = uploads.reasons[reason].replace('{detail}', failure.facts.detail ?? '');
      expect(wording === null ? own : spoken(wording)).not.toMatch(OPERATORS_WORDS);
    },
  );
});
