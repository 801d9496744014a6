import { Injectable } from '@nestjs/common';
import { AuditService } from '../audit/audit.service.js';
import { hashPassword } from './password.js';
import { canGrant } from '../access/permissions.js';
import type { Principal } from '../access/principal.js';
import { violatedUnique } from '../common/errors/database-errors.js';
import { Problem } from '../common/errors/problem.js';
import { isUuid, newId } from '../common/ids.js';
import { KeyedMutex } from '../common/keyed-mutex.js';
import { decodeCursor, isUuidText, type Page, type PageQuery, toPage } from '../common/paging/page.js';
import { AccessChanges } from '../database/access-changes.js';
import { Database } from '../database/database.js';
import type { User } from '../database/entities/user.entity.js';
import { Grants } from './grants.js';
import type { CreateUserDto, UpdateUserDto } from './users.dto.js';
import { UsersRepository } from './users.repository.js';

@Injectable()
export class UsersService {
  private readonly changes = new KeyedMutex();

  constructor(
    private readonly database: Database,
    private readonly users: UsersRepository,
    private readonly grants: Grants,
    private readonly audit: AuditService,
    private readonly accessChanges: AccessChanges,
  ) {}

  async list(actor: Principal, query: PageQuery): Promise<Page<User>> {
    const after = decodeCursor(query.cursor, isUuidText);
    const rows = await this.users.findPage(actor.clientIds, after, query.limit + 1);
    return toPage(rows, query.limit, (user) => user.id);
  }

  /** A null actor is the service itself. */
  async create(actor: Principal | null, request: CreateUserDto): Promise<User> {
    const grant = { role: request.role, clientIds: distinct(request.clientIds ?? null) };
    await this.grants.check(actor, grant);
    const passwordHash = await hashPassword(request.password);
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
          action: 'user.create',
          subject: ['user', id],
          after: auditable(user),
        });
        return (await this.users.findById(id, manager))!;
      });
    } catch (error) {
      if (violatedUnique(error) === 'users_email_key') throw new Problem('email_taken');
      throw error;
    }
  }

  async update(actor: Principal, userId: string, request: UpdateUserDto): Promise<User> {
    if (!isUuid(userId)) throw new Problem('user_not_found');
    const passwordHash = request.password === undefined ? undefined : await hashPassword(request.password);
    // Serializes changes of one user here, without a connection: with the row lock, each of them would wait holding one.
    const user = await this.changes.run(userId, () => this.change(actor, userId, request, passwordHash));
    await this.accessChanges.confirm();
    return user;
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
      if (before === null || !canGrant(actor, before)) throw new Problem('user_not_found');

      const change = {
        name: request.name ?? before.name,
        role: request.role ?? before.role,
        isActive: request.isActive ?? before.isActive,
        clientIds: request.clientIds === undefined ? before.clientIds : distinct(request.clientIds),
        passwordHash: passwordHash ?? before.passwordHash,
      };
      const after = { ...before, ...change };
      if (after.role !== before.role || request.clientIds !== undefined)
        await this.grants.check(actor, after, manager);
      if (owners.length === 1 && owners[0]!.id === userId && !isFullOwner(after))
        throw new Problem('last_owner');

      await this.users.update(userId, change, manager);
      if (passwordHash !== undefined || !after.isActive) await this.users.endSignIns(userId, null, manager);
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
