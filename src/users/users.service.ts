import { Injectable } from '@nestjs/common';
import { AuditService } from '../audit/audit.service.js';
import { hashPassword } from './password.js';
import { canGrant, canManageUser, effectivePermissions, type Permission } from '../access/permissions.js';
import type { Principal } from '../access/principal.js';
import { violatedUnique } from '../common/errors/database-errors.js';
import { Problem } from '../common/errors/problem.js';
import { isUuid, newId } from '../common/ids.js';
import { KeyedMutex } from '../common/keyed-mutex.js';
import { decodeCursor, isUuidText, type Page, type PageQuery, toPage } from '../common/paging/page.js';
import { AccessChanges } from '../database/access-changes.js';
import { Database } from '../database/database.js';
import type { User } from '../database/entities/user.entity.js';
import type { DescribedUser } from './described-user.js';
import { Grants } from './grants.js';
import { type IssuedLink, PasswordLinks } from './password-links.js';
import { PasswordLinksRepository } from './password-links.repository.js';
import type { CreateUserDto, UpdateUserDto } from './users.dto.js';
import { UsersRepository } from './users.repository.js';

@Injectable()
export class UsersService {
  private readonly changes = new KeyedMutex();

  constructor(
    private readonly database: Database,
    private readonly users: UsersRepository,
    private readonly grants: Grants,
    private readonly links: PasswordLinks,
    private readonly linkRecords: PasswordLinksRepository,
    private readonly audit: AuditService,
    private readonly accessChanges: AccessChanges,
  ) {}

  async list(actor: Principal, query: PageQuery): Promise<Page<DescribedUser>> {
    const after = decodeCursor(query.cursor, isUuidText);
    const portalOnly = !effectivePermissions(actor).has('users:manage');
    const rows = await this.users.findPage(actor.clientIds, { portalOnly }, after, query.limit + 1);
    const { items, nextCursor } = toPage(rows, query.limit, (user) => user.id);
    const invited = items.filter((user) => user.passwordHash === null).map(({ id }) => id);
    const expiries = await this.linkRecords.findExpiries(invited);
    return {
      items: items.map((user) => ({ user, linkExpiresAt: expiries.get(user.id) ?? null })),
      nextCursor,
    };
  }

  /** Without a password, the user gets a link to choose one. A null actor is the service itself. */
  async create(
    actor: Principal,
    request: CreateUserDto,
  ): Promise<DescribedUser & { link: IssuedLink | null }>;
  async create(actor: null, request: CreateUserDto & { password: string }): Promise<DescribedUser>;
  async create(
    actor: Principal | null,
    request: CreateUserDto,
  ): Promise<DescribedUser & { link: IssuedLink | null }> {
    requireMayChoosePassword(actor, request);
    const grant = { role: request.role, clientIds: distinct(request.clientIds ?? null) };
    await this.grants.check(actor, grant);
    if (actor !== null && !canManageUser(actor, grant)) throw new Problem('grant_not_held');
    const passwordHash = request.password === undefined ? null : await hashPassword(request.password);
    const id = newId();
    const user = {
      id,
      email: request.email.toLowerCase(),
      name: request.name,
      ...grant,
      passwordHash,
      isActive: true,
    };
    try {
      return await this.database.transaction(async (manager) => {
        await this.grants.lockActor(manager, actor);
        await this.users.insert(user, manager);
        await this.audit.record(manager, {
          actor,
          action: passwordHash === null ? 'user.invite' : 'user.create',
          subject: ['user', id],
          after: auditable(user),
        });
        const link =
          actor === null || passwordHash !== null ? null : await this.links.issue(user, actor, manager);
        return {
          user: (await this.users.findById(id, manager))!,
          linkExpiresAt: link?.expiresAt ?? null,
          link,
        };
      });
    } catch (error) {
      if (violatedUnique(error) === 'users_email_key') throw new Problem('email_taken');
      throw error;
    }
  }

  /** A new link for a user who has not accepted the invitation, or lost the password. */
  async createLink(actor: Principal, userId: string): Promise<IssuedLink> {
    if (!isUuid(userId)) throw new Problem('user_not_found');
    return this.changes.run(userId, () =>
      this.database.transaction(async (manager) => {
        const user = await this.users.lock(userId, manager);
        await this.grants.lockActor(manager, actor);
        if (user === null || !canManageUser(actor, user)) throw new Problem('user_not_found');
        if (!user.isActive) throw new Problem('user_inactive');
        await this.audit.record(manager, { actor, action: 'user.create_link', subject: ['user', userId] });
        return this.links.issue(user, actor, manager);
      }),
    );
  }

  /** Users change their own name. */
  async rename(actor: Principal, name: string): Promise<void> {
    if (actor.kind !== 'user') throw new Problem('permission_denied', 'An API key cannot be renamed.');
    await this.changes.run(actor.id, () =>
      this.database.transaction(async (manager) => {
        const before = await this.users.lock(actor.id, manager);
        await this.grants.lockActor(manager, actor);
        if (before === null || before.name === name) return;
        await this.users.update(actor.id, { name }, manager);
        await this.audit.record(manager, {
          actor,
          action: 'user.update',
          subject: ['user', actor.id],
          before: { name: before.name },
          after: { name },
        });
      }),
    );
    await this.accessChanges.confirm();
  }

  async update(actor: Principal, userId: string, request: UpdateUserDto): Promise<DescribedUser> {
    requireMayChoosePassword(actor, request);
    if (!isUuid(userId)) throw new Problem('user_not_found');
    const passwordHash = request.password === undefined ? undefined : await hashPassword(request.password);
    // Serializes changes of one user here, without a connection: with the row lock, each of them would wait holding one.
    const user = await this.changes.run(userId, () => this.change(actor, userId, request, passwordHash));
    await this.accessChanges.confirm();
    const expiries = await this.linkRecords.findExpiries(user.passwordHash === null ? [user.id] : []);
    return { user, linkExpiresAt: expiries.get(user.id) ?? null };
  }

  private change(
    actor: Principal,
    userId: string,
    request: UpdateUserDto,
    passwordHash: string | undefined,
  ): Promise<User> {
    return this.database.transaction(async (manager) => {
      const owners = mayDemote(request) ? await this.users.lockActiveOwners(manager) : [];
      const before = await this.users.lock(userId, manager);
      await this.grants.lockActor(manager, actor);
      // Changing a user allows taking over the account, so the caller must hold everything that the user holds.
      if (before === null || !canManageUser(actor, before)) throw new Problem('user_not_found');

      const change = {
        name: request.name ?? before.name,
        role: request.role ?? before.role,
        isActive: request.isActive ?? before.isActive,
        clientIds: request.clientIds === undefined ? before.clientIds : distinct(request.clientIds),
        passwordHash: passwordHash ?? before.passwordHash,
      };
      const after = { ...before, ...change };
      if (after.role !== before.role || request.clientIds !== undefined) {
        await this.grants.check(actor, after, manager);
        if (!canManageUser(actor, after)) throw new Problem('grant_not_held');
      }
      if (owners.length === 1 && owners[0]!.id === userId && !isFullOwner(after))
        throw new Problem('last_owner');

      await this.users.update(userId, change, manager);
      if (passwordHash !== undefined || !after.isActive) {
        await this.users.endSignIns(userId, null, manager);
        await this.links.endAll(userId, manager);
      } else if (!canGrant(after, before)) {
        await this.links.endMadeBy('user', userId, manager);
      }
      await this.audit.record(manager, {
        actor,
        action: 'user.update',
        subject: ['user', userId],
        before: auditable(before),
        after: { ...auditable(after), ...(passwordHash === undefined ? {} : { passwordReset: true }) },
      });
      return (await this.users.findById(userId, manager))!;
    });
  }

  /** Creates the first owner if there is none. If several processes start at the same time, one of them does it. */
  async ensureFirstOwner(email: string, password: string): Promise<void> {
    const owners = await this.database.transaction((manager) => this.users.lockActiveOwners(manager));
    if (owners.length > 0) return;
    try {
      await this.create(null, { email, password, name: email, role: 'owner', clientIds: null });
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'email_taken') throw error;
    }
  }
}

const CHOOSE_PASSWORDS: Permission = 'users:manage';

/** Without it, users only get links, so nobody else knows their password. */
function requireMayChoosePassword(actor: Principal | null, { password }: UpdateUserDto): void {
  if (password === undefined || actor === null || effectivePermissions(actor).has(CHOOSE_PASSWORDS)) return;
  throw new Problem('permission_denied', `password requires the permission ${CHOOSE_PASSWORDS}.`, {
    extra: { permission: CHOOSE_PASSWORDS },
  });
}

function mayDemote(request: UpdateUserDto): boolean {
  return [request.role, request.isActive, request.clientIds].some((value) => value !== undefined);
}

function isFullOwner(user: User): boolean {
  return user.role === 'owner' && user.isActive && user.clientIds === null;
}

function distinct(ids: readonly string[] | null): string[] | null {
  return ids === null ? null : [...new Set(ids)];
}

/** What the audit log may contain: never a hash. */
function auditable({
  email,
  name,
  role,
  clientIds,
  isActive,
}: Pick<User, 'email' | 'name' | 'role' | 'clientIds' | 'isActive'>) {
  return { email, name, role, clientIds, isActive };
}
