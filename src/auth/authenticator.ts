import { Injectable } from '@nestjs/common';
import type { Request, RequestHandler, Response } from 'express';
import passport from 'passport';
import { Problem } from '../common/errors/problem.js';
import { AuthRepository } from './auth.repository.js';
import { CallerCache } from './caller-cache.js';
import { Cookies } from './cookies.js';
import { type CredentialKind, presentedCredential } from './credential.js';
import { JwtStrategy } from './jwt.strategy.js';
import { PickerTokensRepository } from './pickers/picker-tokens.repository.js';
import type { ActiveCaller, Principal } from '../access/principal.js';
import { hashSecret } from '../common/tokens.js';

/** Returns the active caller, or null if the credential is invalid, expired or revoked. */
type LookUp = (hash: Buffer, request: Request, response: Response) => Promise<ActiveCaller | null>;

/** Determines who is calling, by access token (passport-jwt), API key or the token of a picker, and checks that they are currently active. */
@Injectable()
export class Authenticator {
  private readonly lookUps: Readonly<Record<CredentialKind, LookUp>> = {
    access_token: (_hash, request, response) => this.byAccessToken(request, response),
    api_key: (hash) => this.repository.findActiveKey(hash),
    picker: (hash) => this.pickers.findActive(hash),
  };

  constructor(
    private readonly cookies: Cookies,
    private readonly repository: AuthRepository,
    private readonly pickers: PickerTokensRepository,
    private readonly cache: CallerCache,
    private readonly strategy: JwtStrategy,
  ) {}

  async authenticate(request: Request, response: Response): Promise<Principal> {
    const credential = presentedCredential(request, this.cookies.session);
    if (credential === null) throw new Problem('unauthenticated');
    if (credential.fromCookie && !this.cookies.session.provesOrigin(request))
      throw new Problem('origin_not_allowed');
    const hash = hashSecret(credential.value);
    const principal = await this.cache.find(credential.kind + hash.toString('latin1'), () =>
      this.lookUps[credential.kind](hash, request, response),
    );
    if (principal === null)
      throw new Problem('unauthenticated', 'The token or API key is invalid, expired or revoked.');
    return principal;
  }

  /** Null for a token that is invalid, expired or revoked. Throws only if the database fails. */
  private byAccessToken(request: Request, response: Response): Promise<ActiveCaller | null> {
    return new Promise((resolve, reject) => {
      const done = (error: Error | null, caller?: ActiveCaller | false) => {
        if (error) reject(error);
        else resolve(caller || null);
      };
      // Not by its name, which all applications of a process share. Passport adds callbacks to it, so each request needs one of its own.
      const strategy = Object.create(this.strategy) as JwtStrategy;
      const authenticate = passport.authenticate(strategy, { session: false }, done) as RequestHandler;
      void authenticate(request, response, (error?: unknown) => done(error instanceof Error ? error : null));
    });
  }
}
