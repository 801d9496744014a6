import { hash, randomBytes } from 'node:crypto';

/** 256 random bits, safe in headers and JSON. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Secrets with full entropy do not need a slow hash. */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}
