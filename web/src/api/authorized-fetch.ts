import { ApiProblem } from './problem';
import { session } from './session-store';

/**
 * `fetch` with the access token. If the token is rejected, and not for example a password, renews it once and repeats the request.
 * Throws `ApiProblem` for any failure.
 */
export async function authorizedFetch(input: Request): Promise<Response> {
  const repeat = input.clone();
  let response = await send(input);
  if (response.status === 401) {
    const problem = await ApiProblem.fromResponse(response.clone());
    if (problem.code === 'account_inactive') session.end('inactive');
    else if (
      problem.code === 'unauthenticated' &&
      session.get().status === 'signedIn' &&
      (await session.refresh())
    )
      response = await send(repeat);
  }
  if (!response.ok) {
    const problem = await ApiProblem.fromResponse(response);
    // The role may have changed since the page was opened, so the controls are updated.
    if (problem.code === 'permission_denied') session.refreshSoon();
    throw problem;
  }
  return response;
}

async function send(request: Request): Promise<Response> {
  const token = session.accessToken();
  if (token) request.headers.set('Authorization', `Bearer ${token}`);
  try {
    return await fetch(request);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw ApiProblem.unreachable();
  }
}
