import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { canManageUser } from '../access/permissions.js';
import type { Principal } from '../access/principal.js';
import { hashSecret, newSecret } from '../common/tokens.js';
import type { Config } from '../config/config.js';
import { InjectConfig } from '../config/config.token.js';
import { Database } from '../database/database.js';
import type { LinkMaker, PasswordLink } from '../database/entities/password-link.entity.js';
import type { User } from '../database/entities/user.entity.js';
import { JobQueue } from '../jobs/job-queue.js';
import { Mailer } from '../mail/mailer.js';
import { SecretBox } from '../secrets/secret-box.js';
import { PasswordLinksRepository } from './password-links.repository.js';
import { UsersRepository } from './users.repository.js';

const LIFETIME_SECONDS = 72 * 3_600;
/** Of a link that anybody can request for an address. */
const REQUESTED_LIFETIME_SECONDS = 3_600;

export const MAIL_PASSWORD_LINK = 'mail-password-link';

/** The payload of the job: jobs are stored, so the token is encrypted. */
export interface MailPasswordLink {
  readonly userId: string;
  readonly token: string;
}

export interface IssuedLink {
  readonly url: string;
  readonly expiresAt: Date;
  /** Whether it is also sent to the user's address. */
  readonly isMailed: boolean;
}

export interface OpenLink {
  readonly user: User;
  readonly expiresAt: Date;
}

/** Links with which users choose their own password. A link works once, and gives no more than its maker holds when it is used. */
@Injectable()
export class PasswordLinks {
  private readonly page: string;

  constructor(
    private readonly database: Database,
    private readonly links: PasswordLinksRepository,
    private readonly users: UsersRepository,
    private readonly jobs: JobQueue,
    private readonly secrets: SecretBox,
    private readonly mailer: Mailer,
    @InjectConfig() { http }: Config,
  ) {
    this.page = `${http.publicUrl}/invitation`;
  }

  /** Ends all earlier links of the user. The maker must have been checked. */
  async issue(user: Pick<User, 'id'>, maker: Principal, manager: EntityManager): Promise<IssuedLink> {
    await this.links.deleteOfUser(user.id, { own: false }, manager);
    return this.insert(
      { userId: user.id, makerKind: maker.kind, makerId: maker.id },
      LIFETIME_SECONDS,
      manager,
    );
  }

  /**
   * For a user who asked for it. Ends only earlier ones of this kind, because anybody can ask. Users who have not accepted their invitation get
   * none: it may have ended with its maker.
   */
  async issueRequested(email: string): Promise<void> {
    await this.database.transaction(async (manager) => {
      const found = await this.users.findByEmail(email, manager);
      const user = found && (await this.users.lock(found.id, manager));
      if (!user?.isActive || user.passwordHash === null) return;
      await this.links.deleteOfUser(user.id, { own: true }, manager);
      await this.insert(
        { userId: user.id, makerKind: null, makerId: null },
        REQUESTED_LIFETIME_SECONDS,
        manager,
      );
    });
  }

  private async insert(
    link: Pick<PasswordLink, 'userId' | 'makerKind' | 'makerId'>,
    lifetimeSeconds: number,
    manager: EntityManager,
  ): Promise<IssuedLink> {
    const token = newSecret();
    const expiresAt = await this.links.insert(
      { ...link, tokenHash: hashSecret(token) },
      lifetimeSeconds,
      manager,
    );
    const { isConfigured: isMailed } = this.mailer;
    if (isMailed) {
      const { userId } = link;
      const payload: MailPasswordLink = { userId, token: this.secrets.encrypt(token, contextOf(userId)) };
      await this.jobs.add(manager, {
        name: MAIL_PASSWORD_LINK,
        payload,
        key: `${MAIL_PASSWORD_LINK}:${userId}`,
      });
    }
    return { url: this.urlOf(token), expiresAt, isMailed };
  }

  /** In the fragment, which browsers do not send: the token is in no log and no `Referer`. */
  urlOf(token: string): string {
    return `${this.page}#${token}`;
  }

  unseal({ userId, token }: MailPasswordLink): string {
    return this.secrets.decrypt(token, contextOf(userId));
  }

  /** Null if it is unknown, used, replaced or expired, or if its user or maker has lost what it needs. */
  async find(token: string): Promise<OpenLink | null> {
    const link = await this.links.findOpen(hashSecret(token));
    const user = link && (await this.users.findById(link.userId));
    if (!user || !(await this.isBacked(link, user, this.database.manager))) return null;
    return { user, expiresAt: link.expiresAt };
  }

  /** Uses up the link and locks its user; null as above. */
  async take(token: string, manager: EntityManager): Promise<User | null> {
    const tokenHash = hashSecret(token);
    const link = await this.links.findOpen(tokenHash, manager);
    const user = link && (await this.users.lock(link.userId, manager));
    // The maker is locked before the link, as when the maker's links are ended.
    if (!user || !(await this.isBacked(link, user, manager))) return null;
    return (await this.links.deleteOpen(tokenHash, manager)) ? user : null;
  }

  /** After the user got a password or was deactivated: the links for the user, and those that the user made. */
  async endAll(userId: string, manager: EntityManager): Promise<void> {
    await this.links.deleteOfUser(userId, { own: false }, manager);
    await this.endMadeBy('user', userId, manager);
  }

  /** For good: they do not work again when the maker is activated again. */
  endMadeBy(makerKind: LinkMaker, makerId: string, manager: EntityManager): Promise<void> {
    return this.links.deleteOfMaker(makerKind, makerId, manager);
  }

  private async isBacked(link: PasswordLink, user: User, manager: EntityManager): Promise<boolean> {
    if (!user.isActive) return false;
    if (link.makerKind === null) return true;
    const maker = await this.users.holdMakerGrant(link.makerKind, link.makerId!, manager);
    return maker !== null && canManageUser(maker, user);
  }
}

/** An encrypted token is bound to its user. */
const contextOf = (userId: string) => `password-link/${userId}`;
