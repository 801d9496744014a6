import type { Finding } from '../common/diagnosis.dto.js';
import type { OutboundHead, OutboundResponse } from '../outbound/outbound-response.js';
import type { OutboundError } from '../outbound/outbound-error.js';
import { plainText } from '../outbound/plain-text.js';

const CERTIFICATE_CODES: Record<string, string> = {
  CERT_HAS_EXPIRED: 'has expired',
  CERT_NOT_YET_VALID: 'is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'was issued by an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'was issued by an unknown authority, or an intermediate certificate is missing',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'was issued by an unknown authority, or an intermediate certificate is missing',
  ERR_TLS_CERT_ALTNAME_INVALID: 'belongs to another host name',
};

/** For a request without a complete response. */
export function findingOfFailure(error: OutboundError): Finding {
  switch (error.code) {
    case 'address_refused':
      return {
        cause: `The address is not allowed: ${error.message}`,
        fix: 'Enter the public address of the site. Private addresses require TARGETS_ALLOW_PRIVATE=true.',
      };
    case 'dns_failed':
      return { cause: 'The host name could not be resolved.', fix: 'Check the spelling of the address.' };
    case 'connect_failed':
      return {
        cause: 'The server does not accept connections at this address.',
        fix: 'Check the address and its port, and that the site is online and does not block this server.',
      };
    case 'tls_failed':
      return {
        cause: `No secure connection is possible: ${tlsProblem(error)}.`,
        fix: 'Install a valid certificate on the site.',
      };
    case 'timeout':
      return {
        cause: 'The site did not respond in time.',
        fix: 'Check that the site is online and does not block this server, then verify again.',
      };
    case 'response_too_large':
    case 'bad_response':
      return {
        cause: 'The response from the site cannot be read.',
        fix: 'Check that the address belongs to the site and not to another service.',
      };
    case 'connection_lost':
    case 'body_failed':
    case 'aborted':
      return {
        cause: 'The connection was lost before the site responded.',
        fix: 'Verify again. If it happens repeatedly, check the log of the web server.',
      };
  }
}

function tlsProblem({ cause }: OutboundError): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const problem = Object.hasOwn(CERTIFICATE_CODES, code) ? CERTIFICATE_CODES[code] : undefined;
  return problem
    ? `the certificate ${problem}`
    : 'the server does not speak TLS, or its certificate is not valid';
}

export function redirectFinding(response: OutboundHead): Finding {
  const address = plainText(response.headers['location'] ?? '', response);
  return {
    cause: `The site redirects to ${address || 'another address'}.`,
    fix: 'If that is the right site, create the destination with that address.',
  };
}

/** For any unexpected response. */
export function unexpectedFinding(response: OutboundResponse): Finding {
  const { status, body } = response;
  // The body of a 500 can contain stack traces and server paths.
  const text = status >= 500 ? '' : plainText(body, response);
  return {
    cause: `The site responded with status ${status}${text ? `: ${text}` : '.'}`,
    fix: 'Check the site and the log of its web server, then verify again.',
  };
}

export function maintenanceFinding(): Finding {
  return {
    cause: 'The site is in maintenance mode, or temporarily unavailable (status 503).',
    fix: 'Wait until the site is back, then verify again.',
  };
}

export function sitePasswordFinding(): Finding {
  return {
    cause: 'The web server protects the whole site with a password, as is common for staging sites.',
    fix: 'Remove the password, or exempt the REST API from it.',
  };
}

export function unreadableCredentialsFinding(): Finding {
  return {
    cause: 'The stored credentials cannot be decrypted because their key is missing from SECRETS_KEY.',
    fix: 'Add the old key to SECRETS_KEY again and restart, or enter the credentials again.',
  };
}
