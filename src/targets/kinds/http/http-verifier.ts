import { Injectable } from '@nestjs/common';
import { OutboundClient } from '../../../outbound/outbound-client.js';
import { authorizationOf, type HttpConnection } from '../../target-connection.js';
import { redirectFinding } from '../../target-findings.js';
import { StepFailure, type Verification, VerificationSteps } from '../../verification.js';

/** Checks an endpoint as far as that is possible without sending it a file. */
@Injectable()
export class HttpVerifier {
  constructor(private readonly outbound: OutboundClient) {}

  async verify(connection: HttpConnection, signal: AbortSignal): Promise<Verification> {
    const steps = new VerificationSteps();
    const { url, bearerToken } = connection;
    await steps.run('address', () => this.outbound.check(url, signal));
    const response = await steps.run('reachable', async () => {
      const headers = authorizationOf(connection);
      const found = await this.outbound.request({ url, method: 'HEAD', headers, signal });
      if (found.status >= 300 && found.status < 400 && found.headers['location'] !== undefined)
        throw new StepFailure(redirectFinding(found));
      return found;
    });
    await steps.run('credentials', () => {
      if (response?.status === 401 || response?.status === 403) {
        throw new StepFailure({
          cause:
            bearerToken === null
              ? `The endpoint requires credentials (status ${response.status}).`
              : `The endpoint rejected the bearer token (status ${response.status}).`,
          fix: 'Set a bearerToken that the endpoint accepts.',
        });
      }
      return Promise.resolve();
    });
    return steps.result();
  }
}
