import type { ApiResponse } from './api.js';

/** An error response according to the contract: all members, the id of the request, and no internal details. */
export function expectProblem(response: ApiResponse, status: number, code: string): void {
  expect({ status: response.status, body: response.body }).toMatchObject({
    status,
    body: {
      type: `urn:asset-library:problem:${code}`,
      title: expect.stringMatching(/\S/),
      status,
      detail: expect.stringMatching(/\S/),
      code,
      requestId: response.headers.get('x-request-id'),
    },
  });
  expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json\b/);
  expect(JSON.stringify(response.body)).not.toMatch(/node_modules|\.[jt]s:\d+|SELECT |INSERT |UPDATE /);
}

/** The paths of the field errors in a validation problem. */
export function pathsOf(response: ApiResponse): string[] {
  return (response.body.errors as { path: string }[]).map(({ path }) => path);
}
