import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { type JwtFromRequestFunction, Strategy } from 'passport-jwt';
import { isUuid } from '../common/ids.js';
import {
  type AccessTokenClaims,
  AccessTokenService,
  ALGORITHM,
  AUDIENCE,
  ISSUER,
} from './access-token.service.js';
import { AuthRepository } from './auth.repository.js';
import { Cookies } from './cookies.js';
import { presentedCredential } from './credential.js';
import type { ActiveCaller } from '../access/principal.js';

/** Verifies an access token, then checks in the database that its user is active and its sign-in is open. */
@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy) {
  constructor(
    tokens: AccessTokenService,
    { session }: Cookies,
    private readonly repository: AuthRepository,
  ) {
    const fromRequest: JwtFromRequestFunction = (request: Request) => {
      const credential = presentedCredential(request, session);
      return credential?.kind === 'access_token' ? credential.value : null;
    };
    super({
      jwtFromRequest: fromRequest,
      secretOrKeyProvider: (_request, token: string, done) => {
        const key = tokens.keyFor(token);
        // The types of passport-jwt do not include key objects, which it passes to jsonwebtoken unchanged.
        done(key === null ? new Error('unknown key id') : null, key as unknown as Buffer);
      },
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience: AUDIENCE,
    });
  }

  async validate(claims: Partial<AccessTokenClaims> & { exp?: number }): Promise<ActiveCaller | null> {
    if (!isUuid(claims.sub) || !isUuid(claims.sid)) return null;
    const caller = await this.repository.findActiveUser(claims.sub, claims.sid);
    const secondsLeft = claims.exp === undefined ? 0 : claims.exp - Date.now() / 1000;
    return caller && { ...caller, secondsLeft: Math.min(caller.secondsLeft, secondsLeft) };
  }
}
