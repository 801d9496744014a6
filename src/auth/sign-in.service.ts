import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { AuditService } from '../audit/audit.service.js';
import { Problem } from '../common/errors/problem.js';
import { networkOf } from '../common/http/client-network.js';
import { newId } from '../common/ids.js';
import type { Config } from '../config/config.js';
import { InjectConfig } from '../config/config.token.js';
import { AccessChanges } from '../database/access-changes.js';
import { Database } from '../database/database.js';
import type { User } from '../database/entities/user.entity.js';
import { UsersRepository } from '../users/users.repository.js';
import { AccessTokenService } from './access-token.service.js';
import { AuthRepository, type SignInLifetime } from './auth.repository.js';
import { LoginLimiter } from './login-limiter.js';
import { hashPassword, passwordMatches } from '../users/password.js';
import type { Principal } from '../access/principal.js';
import { SealedTokens } from './sealed-tokens.js';
import { hashSecret } from './tokens.js';

/** Two tabs may refresh with the same token within this time. Later, the token counts as stolen. */
const REUSE_GRACE_SECONDS = 10;

/** Verified like that of a user, so that the response time does not reveal which users exist. */
const NO_USER = '00000000-0000-0000-0000-000000000000';

/** Where the password was sent from. */
export interface LoginOrigin {
  readonly address: string;
  /** The cookie that an earlier sign-in stored in the browser, or null. */
  readonly deviceToken: string | null;
}

export interface IssuedTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresIn: number;
  readonly user: User;
  readonly signInId: string;
}

interface ProvenUser {
  readonly user: User;
  readonly device: string | null;
  readonly networkHash: Buffer;
}

@Injectable()
export class SignInService {
  private readonly lifetime: SignInLifetime;

  constructor(
    private readonly database: Database,
    private readonly repository: AuthRepository,
    private readonly users: UsersRepository,
    private readonly accessTokens: AccessTokenService,
    private readonly sealedTokens: SealedTokens,
    private readonly limiter: LoginLimiter,
    private readonly audit: AuditService,
    private readonly accessChanges: AccessChanges,
    @InjectConfig() { auth }: Config,
  ) {
    this.lifetime = { idleSeconds: auth.refreshTokenSeconds, maxSeconds: auth.signInMaxSeconds };
  }

  async signIn(
    email: string,
    password: string,
    origin: LoginOrigin,
  ): Promise<IssuedTokens & { deviceToken: string }> {
    const { user, device, networkHash } = await this.provePassword(email, password, origin);
    const issued = await this.database.transaction(async (manager) => {
      requireProven(user, await this.users.hold(user.id, manager));
      const signInId = newId();
      await this.repository.insertSignIn(
        { id: signInId, userId: user.id, networkHash },
        this.lifetime,
        manager,
      );
      return this.issue(manager, user, signInId);
    });
    return { ...issued, deviceToken: this.sealedTokens.newDeviceToken(user.id, device ?? undefined) };
  }

  async refresh(refreshToken: string): Promise<IssuedTokens> {
    const tokenHash = hashSecret(refreshToken);
    const issued = await this.database.transaction(async (manager) => {
      const signInId =
        this.sealedTokens.signInOf(refreshToken) ??
        (await this.repository.findSignInOfToken(tokenHash, manager));
      if (signInId === null) return null;
      const signIn = await this.repository.lockOpenSignIn(signInId, this.lifetime, manager);
      if (signIn === null)
        return (await this.repository.isOfInactiveUser(signInId, manager)) ? 'inactive' : null;
      const state = await this.repository.findTokenState(tokenHash, REUSE_GRACE_SECONDS, manager);
      if (state === 'used' || state === 'unknown') {
        // We issued this token and it was used before, so someone else has it too. End the whole family. Returning normally commits it.
        await this.repository.revokeSignIn(signInId, manager);
        return 'revoked';
      }
      const user = await this.users.findById(signIn.userId, manager);
      if (user?.isActive === false) return 'inactive';
      if (state === 'expired' || user === null) return null;
      await this.repository.useRefreshToken(signInId, tokenHash, REUSE_GRACE_SECONDS, this.lifetime, manager);
      return this.issue(manager, user, signInId);
    });
    if (issued === 'revoked') await this.accessChanges.confirm();
    // A caller who has a token that we issued may know why it no longer works.
    if (issued === 'inactive') throw new Problem('account_inactive');
    if (issued === null || issued === 'revoked') throw new Problem('refresh_token_invalid');
    return issued;
  }

  async signOut(principal: Principal): Promise<void> {
    if (!principal.signInId) return;
    await this.repository.revokeSignIn(principal.signInId, this.database.manager);
    await this.accessChanges.confirm();
  }

  /** Changes the caller's own password and ends all their other sign-ins. */
  async changePassword(
    principal: Principal,
    current: string,
    next: string,
    origin: LoginOrigin,
  ): Promise<void> {
    if (principal.email === null) throw new Problem('permission_denied', 'API keys do not have a password.');
    const { user } = await this.provePassword(principal.email, current, origin);
    const passwordHash = await hashPassword(next);
    await this.database.transaction(async (manager) => {
      requireProven(user, await this.users.lock(user.id, manager));
      if (!(await this.repository.isStillActive(principal, manager))) throw new Problem('unauthenticated');
      await this.users.update(user.id, { passwordHash }, manager);
      await this.users.endSignIns(user.id, principal.signInId, manager);
      await this.audit.record(manager, {
        actor: principal,
        action: 'user.change_password',
        subject: ['user', user.id],
      });
    });
    await this.accessChanges.confirm();
  }

  private async provePassword(email: string, password: string, origin: LoginOrigin): Promise<ProvenUser> {
    const account = email.trim().toLowerCase();
    const network = networkOf(origin.address);
    const user = await this.users.findByEmail(account);
    const networkHash = createHash('sha256').update(`${user?.id} ${network}`).digest();
    const device = user && origin.deviceToken && this.sealedTokens.deviceOf(origin.deviceToken, user.id);
    const knownNetwork = await this.repository.hasSignedInFrom(user?.id ?? NO_USER, networkHash);
    const attempt = { account, network, knownNetwork, device };
    await this.limiter.count(attempt);
    if (!(await passwordMatches(user?.passwordHash ?? null, password)) || user === null) {
      throw new Problem('invalid_credentials');
    }
    await this.limiter.resetAfterSuccess(attempt);
    return { user, device, networkHash };
  }

  private async issue(manager: EntityManager, user: User, signInId: string): Promise<IssuedTokens> {
    const refreshToken = this.sealedTokens.newRefreshToken(signInId);
    await this.repository.insertRefreshToken(signInId, hashSecret(refreshToken), manager);
    const accessToken = await this.accessTokens.sign({ sub: user.id, sid: signInId });
    return { accessToken, refreshToken, expiresIn: this.accessTokens.lifetimeSeconds, user, signInId };
  }
}

/** The password may have changed, or the user may have been deactivated, since it was verified. */
function requireProven(proven: User, current: User | null): void {
  if (current?.passwordHash !== proven.passwordHash) throw new Problem('invalid_credentials');
  if (!current.isActive) throw new Problem('account_inactive');
}
