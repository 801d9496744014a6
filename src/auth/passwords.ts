import { Injectable } from '@nestjs/common';
import type { Principal } from '../access/principal.js';
import { AuditService } from '../audit/audit.service.js';
import { Problem } from '../common/errors/problem.js';
import { networkOf } from '../common/http/client-network.js';
import { AccessChanges } from '../database/access-changes.js';
import { Database } from '../database/database.js';
import { hashPassword, passwordMatches } from '../users/password.js';
import { PasswordLinks } from '../users/password-links.js';
import { UsersRepository } from '../users/users.repository.js';
import { AuthRepository } from './auth.repository.js';
import { LoginLimiter } from './login-limiter.js';
import { networkHashOf } from './network-hash.js';
import { RefusedSignIns } from './refused-sign-ins.js';
import { SealedTokens } from './sealed-tokens.js';
import type { Proof, SignInMethod, SignInOrigin } from './sign-in-method.js';
import { requireProven } from './sign-in.service.js';

/** Verified like that of a user, so that the response time does not reveal which users exist. */
const NO_USER = '00000000-0000-0000-0000-000000000000';

export interface PasswordCredentials {
  readonly email: string;
  readonly password: string;
}

@Injectable()
export class Passwords implements SignInMethod<PasswordCredentials> {
  constructor(
    private readonly database: Database,
    private readonly repository: AuthRepository,
    private readonly users: UsersRepository,
    private readonly links: PasswordLinks,
    private readonly sealedTokens: SealedTokens,
    private readonly limiter: LoginLimiter,
    private readonly refused: RefusedSignIns,
    private readonly audit: AuditService,
    private readonly accessChanges: AccessChanges,
  ) {}

  async prove({ email, password }: PasswordCredentials, origin: SignInOrigin): Promise<Proof> {
    const account = email.trim().toLowerCase();
    const user = await this.users.findByEmail(account);
    const device = user && origin.deviceToken && this.sealedTokens.deviceOf(origin.deviceToken, user.id);
    const knownNetwork = await this.repository.hasSignedInFrom(
      user?.id ?? NO_USER,
      networkHashOf(user?.id, origin.address),
    );
    const attempt = { account, network: networkOf(origin.address), knownNetwork, device };
    try {
      await this.limiter.count(attempt);
    } catch (error) {
      if (error instanceof Problem && error.code === 'too_many_attempts')
        this.refused.record(user, origin, error.code);
      throw error;
    }
    const passwordHash = user?.passwordHash ?? null;
    if (!(await passwordMatches(passwordHash, password)) || user === null) {
      this.refused.record(user, origin, 'invalid_credentials');
      throw new Problem('invalid_credentials');
    }
    await this.limiter.resetAfterSuccess(attempt);
    return { user, holds: (current) => current.passwordHash === passwordHash };
  }

  /** Changes the caller's own password and ends all their other sign-ins. */
  async change(caller: Principal, current: string, next: string, origin: SignInOrigin): Promise<void> {
    if (caller.email === null) throw new Problem('permission_denied', 'API keys do not have a password.');
    const proof = await this.prove({ email: caller.email, password: current }, origin);
    const { id } = proof.user;
    const passwordHash = await hashPassword(next);
    await this.database.transaction(async (manager) => {
      requireProven(proof, await this.users.lock(id, manager));
      if (!(await this.repository.isStillActive(caller, manager))) throw new Problem('unauthenticated');
      await this.users.update(id, { passwordHash }, manager);
      await this.users.endSignIns(id, caller.signInId, manager);
      await this.links.endAll(id, manager);
      await this.audit.record(manager, {
        actor: caller,
        action: 'user.change_password',
        subject: ['user', id],
      });
    });
    await this.accessChanges.confirm();
  }
}
