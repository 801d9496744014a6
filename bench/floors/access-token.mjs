/** Verifies an access token manually and checks, with the service's own query, whether its user is active. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import pg from 'pg';

const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: Number(process.env.DATABASE_POOL_SIZE),
});
const secret = process.env.AUTH_JWT_SECRET;

const text = `SELECT u.id, u.name, u.email, u.role, u.client_ids
  FROM sign_ins s JOIN users u ON u.id = s.user_id
 WHERE s.id = $1 AND u.id = $2 AND u.is_active AND s.revoked_at IS NULL AND s.expires_at > now()`;

export async function activeUser(request) {
  const claims = claimsOf(request.headers.authorization);
  return (
    claims && (await pool.query({ name: 'active-user', text, values: [claims.sid, claims.sub] })).rows[0]
  );
}

function claimsOf(authorization) {
  const [head, body, signature] = (authorization ?? '').replace(/^Bearer /, '').split('.');
  if (!signature) return null;
  const given = Buffer.from(signature, 'base64url');
  const expected = createHmac('sha256', secret).update(`${head}.${body}`).digest();
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  const { alg } = JSON.parse(Buffer.from(head, 'base64url').toString());
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString());
  const isOurs = claims.iss === 'client-asset-library' && claims.aud === 'client-asset-library/api';
  return alg === 'HS256' && isOurs && claims.exp > Date.now() / 1000 ? claims : null;
}
