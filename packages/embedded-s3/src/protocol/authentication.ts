import { S3Error, type S3ErrorCode } from './s3-error.js';
import type { S3Request } from './s3-request.js';
import { ALGORITHM, canonicalRequest, deriveSigningKey, sameSignature, sha256Hex, sign } from './sigv4.js';

export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
}

/** A verified signature: the declared body hash, and the seed for the signatures of its chunks. */
export interface Authentication {
  /** The declared payload hash, or one of the keywords such as UNSIGNED-PAYLOAD. */
  payload: string;
  timestamp: string;
  scope: string;
  signingKey: Buffer;
  signature: string;
}

interface Claim {
  accessKeyId: string;
  date: string;
  region: string;
  service: string;
  signedHeaders: string[];
  signature: string;
  timestamp: string;
  payload: string;
}

const MAX_SKEW_MS = 15 * 60 * 1000;
const MAX_EXPIRES_S = 7 * 24 * 60 * 60;

/** Verifies the request's SigV4 signature, in its header or in its query. Throws the S3 error. */
export function authenticate(request: S3Request, credentials: Credentials, now = Date.now()): Authentication {
  const inHeader = request.headers['authorization'] !== undefined;
  const inQuery = request.query.has('X-Amz-Signature') || request.query.has('X-Amz-Algorithm');
  if (!inHeader && !inQuery) throw new S3Error('AccessDenied');
  if (inHeader && inQuery) throw new S3Error('InvalidArgument', 'Only one auth mechanism allowed.');
  const claim = inHeader ? claimFromHeader(request, now) : claimFromQuery(request, now);
  requireSignedHeaders(request, claim.signedHeaders);
  if (request.headers['x-amz-security-token'] !== undefined || request.query.has('X-Amz-Security-Token')) {
    throw new S3Error('InvalidToken');
  }
  if (claim.accessKeyId !== credentials.accessKeyId) throw new S3Error('InvalidAccessKeyId');

  const { date, region, service, timestamp, payload } = claim;
  const scope = `${date}/${region}/${service}/aws4_request`;
  const canonical = canonicalRequest(request, claim.signedHeaders, payload);
  const signingKey = deriveSigningKey(credentials.secretAccessKey, date, region, service);
  const signature = sign(signingKey, [ALGORITHM, timestamp, scope, sha256Hex(canonical)].join('\n'));
  if (!sameSignature(signature, claim.signature)) throw new S3Error('SignatureDoesNotMatch');
  return { payload, timestamp, scope, signingKey, signature };
}

function claimFromHeader({ headers }: S3Request, now: number): Claim {
  const malformed = 'AuthorizationHeaderMalformed';
  const [, fields = ''] = /^AWS4-HMAC-SHA256\s+(.+)$/.exec(headers['authorization']!) ?? [];
  const field = (name: string) => new RegExp(`(?:^|,)\\s*${name}=([^,\\s]+)`).exec(fields)?.[1];
  const timestamp = headers['x-amz-date'] ?? '';
  const payload = headers['x-amz-content-sha256'];
  const claim = {
    ...parseCredential(field('Credential'), malformed),
    signedHeaders: field('SignedHeaders')?.split(';') ?? [],
    signature: field('Signature') ?? '',
    timestamp,
  };
  if (claim.signedHeaders.length === 0 || !claim.signature) throw new S3Error(malformed);
  const time = parseTimestamp(timestamp);
  if (time === undefined) throw new S3Error('AccessDenied', 'A valid x-amz-date header is required.');
  if (Math.abs(now - time) > MAX_SKEW_MS) throw new S3Error('RequestTimeTooSkewed');
  if (!timestamp.startsWith(claim.date))
    throw new S3Error(malformed, 'Credential and x-amz-date differ in date.');
  if (!payload) throw new S3Error('InvalidRequest', 'Missing required header: x-amz-content-sha256');
  return { ...claim, payload };
}

function claimFromQuery({ query, headers }: S3Request, now: number): Claim {
  const malformed = 'AuthorizationQueryParametersError';
  if (query.get('X-Amz-Algorithm') !== ALGORITHM)
    throw new S3Error(malformed, `X-Amz-Algorithm must be ${ALGORITHM}`);
  const timestamp = query.get('X-Amz-Date') ?? '';
  const expires = query.get('X-Amz-Expires') ?? '';
  const claim = {
    ...parseCredential(query.get('X-Amz-Credential'), malformed),
    signedHeaders: query.get('X-Amz-SignedHeaders')?.split(';') ?? [],
    signature: query.get('X-Amz-Signature') ?? '',
    timestamp,
    payload: query.get('X-Amz-Content-Sha256') ?? headers['x-amz-content-sha256'] ?? 'UNSIGNED-PAYLOAD',
  };
  const time = parseTimestamp(timestamp);
  if (time === undefined || !timestamp.startsWith(claim.date)) {
    throw new S3Error(malformed, 'X-Amz-Date must be in the ISO8601 long format and match the credential.');
  }
  if (!/^\d{1,9}$/.test(expires)) throw new S3Error(malformed, 'X-Amz-Expires should be a number.');
  if (Number(expires) > MAX_EXPIRES_S)
    throw new S3Error(malformed, 'X-Amz-Expires must be less than a week.');
  if (now < time - MAX_SKEW_MS) throw new S3Error('AccessDenied', 'Request is not yet valid');
  if (now >= time + Number(expires) * 1000) {
    throw new S3Error('AccessDenied', 'Request has expired', { details: { 'X-Amz-Expires': expires } });
  }
  return claim;
}

/** Headers that change the meaning of the request must be signed, and so must the host. */
function requireSignedHeaders({ headers }: S3Request, signed: string[]): void {
  const mustBeSigned = Object.keys(headers).filter((name) => name.startsWith('x-amz-') || name === 'host');
  const missing = mustBeSigned.filter((name) => !signed.includes(name));
  if (missing.length === 0) return;
  throw new S3Error('AccessDenied', 'There were headers present in the request which were not signed', {
    details: { HeadersNotSigned: missing.join(', ') },
  });
}

function parseCredential(text: string | undefined, malformed: S3ErrorCode) {
  // The access key itself can contain slashes; the scope after it cannot.
  const match = /^(.+)\/(\d{8})\/([^/]+)\/(s3)\/aws4_request$/.exec(text ?? '');
  if (!match)
    throw new S3Error(malformed, 'The credential must be of the form KEY/DATE/REGION/s3/aws4_request.');
  const [, accessKeyId, date, region, service] = match as unknown as [string, string, string, string, string];
  return { accessKeyId, date, region, service };
}

function parseTimestamp(text: string): number | undefined {
  const match = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second] = match;
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(time) ? undefined : time;
}
