import type { Answer } from './api.js';

/** An error answer as the contract promises it: all members, the request's own id, and nothing of our inner life. */
export function expectProblem(answer: Answer, status: number, code: string): void {
  expect({ status: answer.status, body: answer.body }).toMatchObject({
    status,
    body: {
      type: `urn:asset-library:problem:${code}`,
      title: expect.stringMatching(/\S/),
      status,
      detail: expect.stringMatching(/\S/),
      code,
      requestId: answer.headers.get('x-request-id'),
    },
  });
  expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json\b/);
  expect(JSON.stringify(answer.body)).not.toMatch(/node_modules|\.[jt]s:\d+|SELECT |INSERT |UPDATE /);
}

/** Where the field errors of a validation problem point. */
export function pathsOf(answer: Answer): string[] {
  return (answer.body.errors as { path: string }[]).map(({ path }) => path);
}
