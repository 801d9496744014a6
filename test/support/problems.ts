import type { Answer } from './api.js';

/** An error response according to the contract: all members, the id of the request, and no internal details. */
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
