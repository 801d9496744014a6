import { Injectable } from '@nestjs/common';
import { type EntityManager, In, IsNull, MoreThan, Not } from 'typeorm';
import { type Grant, isPortalRole } from '../access/permissions.js';
import type { Principal } from '../access/principal.js';
import { Database } from '../database/database.js';
import type { LinkMaker } from '../database/entities/password-link.entity.js';
import { SignIn } from '../database/entities/sign-in.entity.js';
import { ROLES, User } from '../database/entities/user.entity.js';

const PORTAL_ROLES = ROLES.filter(isPortalRole);

export type NewUser = Omit<User, 'createdAt' | 'updatedAt'>;

/** Locks both rows: after waiting for a lock, Postgres re-reads only the rows that it locks. */
const HOLD_USER = `
  SELECT u.role, u.client_ids AS "clientIds" FROM users u JOIN sign_ins s ON s.user_id = u.id
   WHERE u.id = $1 AND s.id = $2 AND u.is_active AND s.revoked_at IS NULL AND s.expires_at > clock_timestamp()
     FOR SHARE OF u, s`;

const HOLD_USER_HOWEVER_SIGNED_IN = `
  SELECT role, client_ids AS "clientIds" FROM users WHERE id = $1 AND is_active FOR SHARE`;

const HOLD_KEY = `
  SELECT role, client_ids AS "clientIds", surfaces FROM api_keys
   WHERE id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > clock_timestamp())
     FOR SHARE`;

@Injectable()
export class UsersRepository {
  constructor(private readonly database: Database) {}

  findById(id: string, manager: EntityManager = this.database.manager): Promise<User | null> {
    return manager.findOneBy(User, { id });
  }

  findByEmail(email: string, manager: EntityManager = this.database.manager): Promise<User | null> {
    return manager.findOneBy(User, { email });
  }

  /** Locked against changes, but not against other readers of the lock. */
  hold(id: string, manager: EntityManager): Promise<User | null> {
    return manager.findOne(User, { where: { id }, lock: { mode: 'pessimistic_read' } });
  }

  lock(id: string, manager: EntityManager): Promise<User | null> {
    return manager.findOne(User, { where: { id }, lock: { mode: 'pessimistic_write' } });
  }

  /** Ordered by creation. `within`: null means all; otherwise only users whose clients are all within it. */
  findPage(
    within: readonly string[] | null,
    { portalOnly }: { portalOnly: boolean },
    afterId: string | null,
    take: number,
  ): Promise<User[]> {
    return this.database.manager
      .createQueryBuilder(User, 'user')
      .where(within === null ? 'true' : 'user.client_ids <@ :within', { within })
      .andWhere(portalOnly ? { role: In(PORTAL_ROLES) } : {})
      .andWhere(afterId === null ? {} : { id: MoreThan(afterId) })
      .orderBy('user.id')
      .take(take)
      .getMany();
  }

  /** Locks them, so that of two owners who remove each other, one is rejected. */
  lockActiveOwners(manager: EntityManager): Promise<User[]> {
    return manager.find(User, {
      where: { role: 'owner', isActive: true, clientIds: IsNull() },
      order: { id: 'ASC' },
      lock: { mode: 'pessimistic_write' },
    });
  }

  /** The current grant of the caller, a user or an API key, locked against changes; null if the caller is no longer active. */
  async lockCurrentGrant({ kind, id, signInId }: Principal, manager: EntityManager): Promise<Grant | null> {
    const [row] =
      kind === 'user'
        ? await manager.query<Grant[]>(HOLD_USER, [id, signInId])
        : await manager.query<Grant[]>(HOLD_KEY, [id]);
    return row ?? null;
  }

  /** What the maker of a link holds, locked against changes; null if it is no longer active. Its sign-in may have ended. */
  async holdMakerGrant(kind: LinkMaker, id: string, manager: EntityManager): Promise<Grant | null> {
    const [row] = await manager.query<Grant[]>(kind === 'user' ? HOLD_USER_HOWEVER_SIGNED_IN : HOLD_KEY, [
      id,
    ]);
    return row ?? null;
  }

  async insert(user: NewUser, manager: EntityManager): Promise<void> {
    await manager.insert(User, user);
  }

  async update(id: string, change: Partial<NewUser>, manager: EntityManager): Promise<void> {
    if (Object.keys(change).length > 0) await manager.update(User, { id }, change);
  }

  /** Ends every sign-in of the user, or all but one, and returns their number. */
  async endSignIns(userId: string, except: string | null, manager: EntityManager): Promise<number> {
    const { affected } = await manager.update(
      SignIn,
      { userId, revokedAt: IsNull(), ...(except === null ? {} : { id: Not(except) }) },
      { revokedAt: () => 'now()' },
    );
    return affected ?? 0;
  }
}
