import type { Bucket } from '../disk/bucket.js';
import { CORS_VARY, corsHeaders, matchingRule } from './cors-rules.js';
import type { Reply } from './reply.js';
import { S3Error } from './s3-error.js';

/** The CORS headers of a response. Errors need them too; otherwise the page could not read them. */
export function headersForOrigin(
  bucket: Bucket | undefined,
  method: string,
  origin: string | undefined,
): Record<string, string> {
  if (!bucket || bucket.corsRules.length === 0) return {};
  const rule = origin === undefined ? undefined : matchingRule(bucket.corsRules, origin, method);
  return { vary: CORS_VARY, ...(rule && origin !== undefined ? corsHeaders(rule, origin) : {}) };
}

/** Responds to a preflight request, which is never signed. */
export function respondToPreflight(bucket: Bucket | undefined, headers: Record<string, string>): Reply {
  const origin = headers['origin'];
  const method = headers['access-control-request-method'];
  if (!origin || !method) {
    throw new S3Error(
      'BadRequest',
      'Insufficient information. Origin and Access-Control-Request-Method are needed.',
    );
  }
  if (!bucket || bucket.corsRules.length === 0) {
    throw new S3Error('AccessForbidden', 'CORSResponse: CORS is not enabled for this bucket.');
  }
  const requested = (headers['access-control-request-headers'] ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
  const rule = matchingRule(bucket.corsRules, origin, method, requested);
  if (!rule) throw new S3Error('AccessForbidden');
  return {
    status: 200,
    headers: {
      ...corsHeaders(rule, origin),
      vary: CORS_VARY,
      ...(requested.length > 0 && { 'access-control-allow-headers': requested.join(', ') }),
      ...(rule.maxAgeSeconds !== undefined && { 'access-control-max-age': String(rule.maxAgeSeconds) }),
    },
  };
}
