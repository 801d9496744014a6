import { Injectable } from '@nestjs/common';
import { type EntityManager, IsNull, MoreThan } from 'typeorm';
import type { InClient } from '../access/principal.js';
import { Database } from '../database/database.js';
import { Target } from '../database/entities/target.entity.js';

export type NewTarget = Omit<Target, 'createdAt' | 'updatedAt' | 'deletedAt' | 'revision' | 'lastVerifiedAt'>;

/** What is known about the connection to a target. */
export type TargetCondition = Pick<Target, 'state' | 'detail'>;

/** The result of a verification. */
export type TargetOutcome = TargetCondition & { readonly found: object };

/** Deleted targets are ignored. */
@Injectable()
export class TargetsRepository {
  constructor(private readonly database: Database) {}

  find({ clientId }: InClient, id: string, manager = this.database.manager): Promise<Target | null> {
    return manager.findOneBy(Target, { id, clientId, deletedAt: IsNull() });
  }

  lock({ clientId }: InClient, id: string, manager: EntityManager): Promise<Target | null> {
    return manager.findOne(Target, {
      where: { id, clientId, deletedAt: IsNull() },
      lock: { mode: 'pessimistic_write' },
    });
  }

  /** Oldest first. */
  findPage({ clientId }: InClient, afterId: string | null, take: number): Promise<Target[]> {
    return this.database.manager.find(Target, {
      where: { clientId, deletedAt: IsNull(), ...(afterId === null ? {} : { id: MoreThan(afterId) }) },
      order: { id: 'ASC' },
      take,
    });
  }

  findByName({ clientId }: InClient, name: string): Promise<Target | null> {
    return this.database.manager
      .createQueryBuilder(Target, 'target')
      .where('target.client_id = :clientId AND target.deleted_at IS NULL', { clientId })
      .andWhere('lower(target.name) = lower(:name)', { name })
      .getOne();
  }

  count({ clientId }: InClient, manager = this.database.manager): Promise<number> {
    return manager.countBy(Target, { clientId, deletedAt: IsNull() });
  }

  /** As verified just now. */
  async insert(target: NewTarget, manager: EntityManager): Promise<Target> {
    await manager.insert(Target, { ...target, revision: 1, lastVerifiedAt: () => 'now()' });
    return manager.findOneByOrFail(Target, { clientId: target.clientId, id: target.id });
  }

  async update(
    { clientId }: InClient,
    id: string,
    change: Partial<Pick<Target, 'name' | 'settings' | 'credentials' | 'revision' | 'state' | 'detail'>>,
    manager: EntityManager,
  ): Promise<Target> {
    await manager.update(Target, { clientId, id }, change);
    return manager.findOneByOrFail(Target, { clientId, id });
  }

  /** False if the credentials were changed or the target was deleted during the verification. */
  async recordOutcome(
    { clientId, id, revision }: Pick<Target, 'clientId' | 'id' | 'revision'>,
    { state, detail, found }: TargetOutcome,
    manager: EntityManager,
  ): Promise<boolean> {
    const [rows] = await manager.query<[unknown[], number]>(
      `UPDATE targets SET state = $4, detail = $5, settings = settings || $6::jsonb, last_verified_at = now(), updated_at = now()
        WHERE client_id = $1 AND id = $2 AND revision = $3 AND deleted_at IS NULL RETURNING 1`,
      [clientId, id, revision, state, detail, JSON.stringify(found)],
    );
    return rows.length === 1;
  }

  /** What a delivery found out. False if that is known, or if the credentials were changed or the target was deleted in the meantime. */
  async recordCondition(
    { clientId, id, revision }: Pick<Target, 'clientId' | 'id' | 'revision'>,
    { state, detail }: TargetCondition,
    manager: EntityManager,
  ): Promise<boolean> {
    const [rows] = await manager.query<[unknown[], number]>(
      `UPDATE targets SET state = $4, detail = $5, updated_at = now()
        WHERE client_id = $1 AND id = $2 AND revision = $3 AND deleted_at IS NULL
          AND (state, detail) IS DISTINCT FROM ($4::text, $5::text) RETURNING 1`,
      [clientId, id, revision, state, detail],
    );
    return rows.length === 1;
  }

  /** What a delivery found to be different from the stored settings. */
  async mergeSettings(
    { clientId, id, revision }: Pick<Target, 'clientId' | 'id' | 'revision'>,
    found: object,
  ): Promise<void> {
    await this.database.manager.query(
      `UPDATE targets SET settings = settings || $4::jsonb, updated_at = now()
        WHERE client_id = $1 AND id = $2 AND revision = $3 AND deleted_at IS NULL`,
      [clientId, id, revision, JSON.stringify(found)],
    );
  }

  /** Keeps the row for the delivery history. */
  async delete({ clientId }: InClient, id: string, manager: EntityManager): Promise<void> {
    await manager.update(Target, { clientId, id }, { deletedAt: () => 'now()', credentials: null });
  }

  /** Targets of all clients whose credentials do not begin with `prefix`, ordered by id. */
  findEncryptedOtherwise(prefix: string, afterId: string | null, take: number): Promise<Target[]> {
    return this.database.manager
      .createQueryBuilder(Target, 'target')
      .where('NOT starts_with(target.credentials, :prefix)', { prefix })
      .andWhere(afterId === null ? {} : { id: MoreThan(afterId) })
      .orderBy('target.id')
      .take(take)
      .getMany();
  }

  /** Stores the same credentials, re-encrypted. False if they were changed in the meantime. */
  async replaceCredentials(
    { clientId }: InClient,
    id: string,
    before: string,
    after: string,
  ): Promise<boolean> {
    const [rows] = await this.database.manager.query<[unknown[], number]>(
      'UPDATE targets SET credentials = $4 WHERE client_id = $1 AND id = $2 AND credentials = $3 RETURNING id',
      [clientId, id, before, after],
    );
    return rows.length === 1;
  }
}
