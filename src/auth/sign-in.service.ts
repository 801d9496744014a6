import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditService } from '../audit/audit.service.js';
import { Problem } from '../common/errors/problem.js';
import { newId } from '../common/ids.js';
import type { Config } from '../config/config.js';
import { InjectConfig } from '../config/config.token.js';
import { Database } from '../database/database.js';
import type { User } from '../database/entities/user.entity.js';
import { UsersRepository } from '../users/users.repository.js';
import { AccessTokenService } from './access-token.service.js';
import { AuthRepository } from './auth.repository.js';
import { LoginLimiter } from './login-limiter.js';
import { hashPassword, passwordMatches } from './password.js';
import type { Principal } from './principal.js';
import { hashSecret, newSecret } from './tokens.js';

/** Two tabs may refresh with the same token within this time; later it counts as stolen. */
const REUSE_GRACE_MS = 10_000;

export interface IssuedTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresIn: number;
  readonly user: User;
  readonly signInId: string;
}

@Injectable()
export class SignInService {
  private readonly refreshTokenMs: number;

  constructor(
    private readonly database: Database,
    private readonly repository: AuthRepository,
    private readonly users: UsersRepository,
    private readonly accessTokens: AccessTokenService,
    private readonly limiter: LoginLimiter,
    private readonly audit: AuditService,
    @InjectConfig() config: Config,
  ) {
    this.refreshTokenMs = config.auth.refreshTokenSeconds * 1000;
  }

  async signIn(email: string, password: string, address: string): Promise<IssuedTokens> {
    const user = await this.provePassword(email, password, address);
    if (!user.isActive) throw new Problem('account_inactive');
    return this.database.transaction(async (manager) => {
      const signInId = newId();
      const expiresAt = this.refreshExpiry();
      await this.repository.insertSignIn(manager, {
        id: signInId,
        userId: user.id,
        createdAt: new Date(),
        expiresAt,
        revokedAt: null,
      });
      return this.issue(manager, user, signInId, expiresAt);
    });
  }

  async refresh(refreshToken: string): Promise<IssuedTokens> {
    const tokenHash = hashSecret(refreshToken);
    const issued = await this.database.transaction(async (manager) => {
      const token = await this.repository.lockRefreshToken(manager, tokenHash);
      if (token === null || token.expiresAt <= new Date()) return null;
      const signIn = await this.repository.findOpenSignIn(manager, token.signInId);
      if (signIn === null) return null;
      if (token.usedAt !== null && Date.now() - token.usedAt.getTime() > REUSE_GRACE_MS) {
        // Someone else holds this token too: end the whole family. Returning commits it.
        await this.repository.revokeSignIn(manager, signIn.id);
        return null;
      }
      const user = await this.users.findById(signIn.userId, manager);
      if (user === null || !user.isActive) return null;
      await this.repository.markRefreshTokenUsed(manager, tokenHash);
      const expiresAt = this.refreshExpiry();
      await this.repository.extendSignIn(manager, signIn.id, expiresAt);
      return this.issue(manager, user, signIn.id, expiresAt);
    });
    if (issued === null) throw new Problem('refresh_token_invalid');
    return issued;
  }

  async signOut(principal: Principal): Promise<void> {
    if (principal.signInId) await this.repository.revokeSignIn(this.database.manager, principal.signInId);
  }

  /** Changes the caller's own password and ends all their other sign-ins. */
  async changePassword(principal: Principal, current: string, next: string, address: string): Promise<void> {
    if (principal.email === null) throw new Problem('permission_denied', 'An API key has no password.');
    const user = await this.provePassword(principal.email, current, address);
    const passwordHash = await hashPassword(next);
    await this.database.transaction(async (manager) => {
      await this.users.update(manager, user.id, { passwordHash });
      await this.users.endSignIns(manager, user.id, principal.signInId);
      await this.audit.record(manager, {
        actor: principal,
        action: 'user.change_password',
        subject: ['user', user.id],
      });
    });
  }

  private async provePassword(email: string, password: string, address: string): Promise<User> {
    const account = email.trim().toLowerCase();
    await this.limiter.count(account, address);
    const user = await this.users.findByEmail(account);
    if (!(await passwordMatches(user?.passwordHash ?? null, password)) || user === null) {
      throw new Problem('invalid_credentials');
    }
    await this.limiter.forgive(account, address);
    return user;
  }

  private async issue(
    manager: EntityManager,
    user: User,
    signInId: string,
    expiresAt: Date,
  ): Promise<IssuedTokens> {
    const refreshToken = newSecret();
    await this.repository.insertRefreshToken(manager, {
      tokenHash: hashSecret(refreshToken),
      signInId,
      createdAt: new Date(),
      expiresAt,
      usedAt: null,
    });
    const accessToken = await this.accessTokens.sign({ sub: user.id, sid: signInId });
    return { accessToken, refreshToken, expiresIn: this.accessTokens.lifetimeSeconds, user, signInId };
  }

  private refreshExpiry(): Date {
    return new Date(Date.now() + this.refreshTokenMs);
  }
}
