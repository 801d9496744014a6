import { Injectable } from '@nestjs/common';
import { type EntityManager, IsNull, MoreThan, Not } from 'typeorm';
import { Database } from '../database/database.js';
import { SignIn } from '../database/entities/sign-in.entity.js';
import { User } from '../database/entities/user.entity.js';

export type NewUser = Omit<User, 'createdAt' | 'updatedAt'>;

@Injectable()
export class UsersRepository {
  constructor(private readonly database: Database) {}

  findById(id: string, manager: EntityManager = this.database.manager): Promise<User | null> {
    return manager.findOneBy(User, { id });
  }

  findByEmail(email: string): Promise<User | null> {
    return this.database.manager.findOneBy(User, { email });
  }

  /** Locked against changes, but not against other readers of the lock. */
  hold(id: string, manager: EntityManager): Promise<User | null> {
    return manager.findOne(User, { where: { id }, lock: { mode: 'pessimistic_read' } });
  }

  lock(id: string, manager: EntityManager): Promise<User | null> {
    return manager.findOne(User, { where: { id }, lock: { mode: 'pessimistic_write' } });
  }

  /** Ordered by creation. `within`: null means all; otherwise only users whose clients are all within it. */
  findPage(within: readonly string[] | null, afterId: string | null, take: number): Promise<User[]> {
    return this.database.manager
      .createQueryBuilder(User, 'user')
      .where(within === null ? 'true' : 'user.client_ids <@ :within', { within })
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

  async insert(user: NewUser, manager: EntityManager): Promise<void> {
    await manager.insert(User, user);
  }

  async update(id: string, change: Partial<NewUser>, manager: EntityManager): Promise<void> {
    if (Object.keys(change).length > 0) await manager.update(User, { id }, change);
  }

  /** Ends every sign-in of the user, or all but one. */
  async endSignIns(userId: string, except: string | null, manager: EntityManager): Promise<void> {
    await manager.update(
      SignIn,
      { userId, revokedAt: IsNull(), ...(except === null ? {} : { id: Not(except) }) },
      { revokedAt: () => 'now()' },
    );
  }
}
