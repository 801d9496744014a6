import type { KindServices } from '../kind-definition.js';
import { redirectFinding } from '../../target-findings.js';
import { StepFailure, type Verification, VerificationSteps } from '../../verification.js';
import { authorizationOf, type HttpConnection, type HttpSettings } from './http-connection.js';

/** Checks an endpoint as far as that is possible without sending it a file. */
export async function verifyHttp(
  connection: HttpConnection,
  { outbound }: KindServices,
  signal: AbortSignal,
): Promise<Verification<HttpSettings>> {
  const steps = new VerificationSteps();
  const { url, bearerToken } = connection;
  await steps.run('address', () => outbound.check(url, signal));
  const response = await steps.run('reachable', async () => {
    const headers = authorizationOf(connection);
    const found = await outbound.request({ url, method: 'HEAD', headers, signal });
    if (found.status >= 300 && found.status < 400 && found.headers['location'] !== undefined)
      throw new StepFailure(redirectFinding(found));
    return found;
  });
  await steps.run('credentials', () => {
    if (response?.status === 401 || response?.status === 403) {
      throw new StepFailure({
        cause: bearerToken
          ? `The endpoint rejected the bearer token (status ${response.status}).`
          : `The endpoint requires credentials (status ${response.status}).`,
        fix: 'Set a bearerToken that the endpoint accepts.',
      });
    }
    return Promise.resolve();
  });
  return steps.result();
}
