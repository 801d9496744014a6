import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditService } from '../audit/audit.service.js';
import { Problem } from '../common/errors/problem.js';
import { newId } from '../common/ids.js';
import type { Config } from '../config/config.js';
import { InjectConfig } from '../config/config.token.js';
import { AccessChanges } from '../database/access-changes.js';
import { Database } from '../database/database.js';
import type { User } from '../database/entities/user.entity.js';
import { UsersRepository } from '../users/users.repository.js';
import { AccessTokenService } from './access-token.service.js';
import { AuthRepository, type SignInLifetime } from './auth.repository.js';
import { networkHashOf } from './network-hash.js';
import type { Principal } from '../access/principal.js';
import { RefusedSignIns } from './refused-sign-ins.js';
import { SealedTokens } from './sealed-tokens.js';
import type { Proof, SignInOrigin } from './sign-in-method.js';
import { hashSecret } from '../common/tokens.js';
import { originForAudit } from './sign-in-origin.js';

/** Two tabs may refresh with the same token within this time. Later, the token counts as stolen. */
const REUSE_GRACE_SECONDS = 10;

export interface IssuedTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresIn: number;
  readonly user: User;
  readonly signInId: string;
}

/** Begins, continues and ends sign-ins, however their users proved who they are. */
@Injectable()
export class SignInService {
  private readonly lifetime: SignInLifetime;

  constructor(
    private readonly database: Database,
    private readonly repository: AuthRepository,
    private readonly users: UsersRepository,
    private readonly accessTokens: AccessTokenService,
    private readonly sealedTokens: SealedTokens,
    private readonly accessChanges: AccessChanges,
    private readonly audit: AuditService,
    private readonly refused: RefusedSignIns,
    @InjectConfig() { auth }: Config,
  ) {
    this.lifetime = { idleSeconds: auth.refreshTokenSeconds, maxSeconds: auth.signInMaxSeconds };
  }

  async signIn(proof: Proof, origin: SignInOrigin): Promise<IssuedTokens & { deviceToken: string }> {
    const { user } = proof;
    const device = origin.deviceToken && this.sealedTokens.deviceOf(origin.deviceToken, user.id);
    const networkHash = networkHashOf(user.id, origin.address);
    const issued = await this.database.transaction(async (manager) => {
      this.requireProven(proof, await this.users.hold(user.id, manager), origin);
      const signInId = newId();
      await this.repository.insertSignIn(
        { id: signInId, userId: user.id, networkHash, userAgent: origin.userAgent },
        this.lifetime,
        manager,
      );
      await this.audit.record(manager, {
        actor: { ...user, kind: 'user' },
        action: 'sign_in.create',
        subject: ['user', user.id],
        after: originForAudit(origin),
      });
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
        if (await this.repository.revokeSignIn(signInId, manager)) {
          const subject = ['user', signIn.userId] as const;
          await this.audit.record(manager, { actor: null, action: 'sign_in.revoke', subject });
        }
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
    const { signInId } = principal;
    if (!signInId) return;
    await this.database.transaction(async (manager) => {
      if (!(await this.repository.revokeSignIn(signInId, manager))) return;
      await this.audit.record(manager, {
        actor: principal,
        action: 'sign_in.end',
        subject: ['user', principal.id],
      });
    });
    await this.accessChanges.confirm();
  }

  private requireProven(proof: Proof, current: User | null, origin: SignInOrigin): void {
    try {
      requireProven(proof, current);
    } catch (error) {
      if (error instanceof Problem) this.refused.record(proof.user, origin, error.code);
      throw error;
    }
  }

  private async issue(manager: EntityManager, user: User, signInId: string): Promise<IssuedTokens> {
    const refreshToken = this.sealedTokens.newRefreshToken(signInId);
    await this.repository.insertRefreshToken(signInId, hashSecret(refreshToken), manager);
    const accessToken = await this.accessTokens.sign({ sub: user.id, sid: signInId });
    return { accessToken, refreshToken, expiresIn: this.accessTokens.lifetimeSeconds, user, signInId };
  }
}

/** The proof may no longer hold, or the user may have been deactivated since. */
export function requireProven(proof: Proof, current: User | null): void {
  if (current === null || !proof.holds(current)) throw new Problem('invalid_credentials');
  if (!current.isActive) throw new Problem('account_inactive');
}
