import { Injectable } from '@nestjs/common';
import type { Principal } from '../access/principal.js';
import { AuditService } from '../audit/audit.service.js';
import { Problem } from '../common/errors/problem.js';
import { hashSecret } from '../common/tokens.js';
import { AccessChanges } from '../database/access-changes.js';
import { Database } from '../database/database.js';
import type { User } from '../database/entities/user.entity.js';
import { JobQueue } from '../jobs/job-queue.js';
import { Mailer } from '../mail/mailer.js';
import { hashPassword } from '../users/password.js';
import { type OpenLink, PasswordLinks } from '../users/password-links.js';
import { REQUEST_PASSWORD_LINK } from '../users/request-password-link.job.js';
import { UsersRepository } from '../users/users.repository.js';
import { PasswordLinkLimiter } from './password-link-limiter.js';
import type { Proof, SignInMethod, SignInOrigin } from './sign-in-method.js';

export interface PasswordLinkCredentials {
  readonly token: string;
  /** The password that the user chooses. */
  readonly password: string;
}

/** Signs users in with a link that was made for them: an invitation, or after the password was lost. */
@Injectable()
export class PasswordLinkSignIn implements SignInMethod<PasswordLinkCredentials> {
  constructor(
    private readonly database: Database,
    private readonly links: PasswordLinks,
    private readonly users: UsersRepository,
    private readonly limiter: PasswordLinkLimiter,
    private readonly audit: AuditService,
    private readonly accessChanges: AccessChanges,
    private readonly jobs: JobQueue,
    private readonly mailer: Mailer,
  ) {}

  /** Whom the link is for. */
  async check(token: string, address: string): Promise<OpenLink> {
    await this.limiter.countGuess(address);
    const link = await this.links.find(token);
    if (link === null) throw new Problem('link_invalid');
    await this.limiter.forgiveGuess(address);
    return link;
  }

  /** Uses up the link, sets the password and ends all sign-ins of the user. */
  async prove({ token, password }: PasswordLinkCredentials, { address }: SignInOrigin): Promise<Proof> {
    // First, so that only those who have a link make us hash a password.
    await this.check(token, address);
    const passwordHash = await hashPassword(password);
    const user = await this.database.transaction(async (manager) => {
      const taken = await this.links.take(token, manager);
      if (taken === null) throw new Problem('link_invalid');
      await this.links.endAll(taken.id, manager);
      await this.users.update(taken.id, { passwordHash }, manager);
      await this.users.endSignIns(taken.id, null, manager);
      await this.audit.record(manager, {
        actor: principalOf(taken),
        action: taken.passwordHash === null ? 'user.accept_invitation' : 'user.reset_password',
        subject: ['user', taken.id],
      });
      return taken;
    });
    await this.accessChanges.confirm();
    return { user, holds: (current) => current.passwordHash === passwordHash };
  }

  /** Does the same whether or not the user exists. */
  async request(email: string, address: string): Promise<void> {
    const account = email.trim().toLowerCase();
    if (!(await this.limiter.mayRequest(account, address)) || !this.mailer.isConfigured) return;
    const key = `${REQUEST_PASSWORD_LINK}:${hashSecret(account).toString('base64url')}`;
    await this.jobs.add(this.database.manager, {
      name: REQUEST_PASSWORD_LINK,
      payload: { email: account },
      key,
    });
  }
}

function principalOf({ id, name, email, role, clientIds }: User): Principal {
  return { kind: 'user', id, name, email, role, clientIds, surfaces: null, signInId: null };
}
