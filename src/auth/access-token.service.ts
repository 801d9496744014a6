import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { createHash, createSecretKey, type KeyObject } from 'node:crypto';
import type { Config } from '../config/config.js';
import { InjectConfig } from '../config/config.token.js';

export const ISSUER = 'client-asset-library';
export const AUDIENCE = 'client-asset-library/api';
export const ALGORITHM = 'HS256';

export interface AccessTokenClaims {
  /** The user. */
  sub: string;
  /** The sign-in. */
  sid: string;
}

/** Signs access tokens. A key id names the secret, so that secrets can be rotated. */
@Injectable()
export class AccessTokenService {
  readonly lifetimeSeconds: number;
  private readonly keys: ReadonlyMap<string, KeyObject>;
  private readonly current: { keyid: string; secret: string };

  constructor(
    private readonly jwt: JwtService,
    @InjectConfig() config: Config,
  ) {
    this.lifetimeSeconds = config.auth.accessTokenSeconds;
    // Key objects are faster: given text, jsonwebtoken checks for each token whether it is a public key, which is a quarter of the work of
    // a request.
    this.keys = new Map(
      config.auth.jwtSecrets.map((secret) => [keyIdOf(secret), createSecretKey(secret, 'utf8')]),
    );
    const secret = config.auth.jwtSecrets[0]!;
    this.current = { keyid: keyIdOf(secret), secret };
  }

  sign(claims: AccessTokenClaims): Promise<string> {
    return this.jwt.signAsync(claims, {
      ...this.current,
      algorithm: ALGORITHM,
      issuer: ISSUER,
      audience: AUDIENCE,
      expiresIn: this.lifetimeSeconds,
    });
  }

  /** The key named by the token's header, or null if the key is unknown. */
  keyFor(token: string): KeyObject | null {
    const header = decodeHeader(token);
    return (typeof header?.['kid'] === 'string' && this.keys.get(header['kid'])) || null;
  }
}

function keyIdOf(secret: string): string {
  return createHash('sha256').update(`kid:${secret}`).digest('base64url').slice(0, 8);
}

function decodeHeader(token: string): Record<string, unknown> | null {
  try {
    return JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as Record<
      string,
      unknown
    > | null;
  } catch {
    return null;
  }
}
