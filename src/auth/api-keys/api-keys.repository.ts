import { Injectable } from '@nestjs/common';
import { type EntityManager, IsNull, LessThan } from 'typeorm';
import { Database } from '../../database/database.js';
import type { Principal } from '../../access/principal.js';
import { ApiKey } from '../../database/entities/api-key.entity.js';

@Injectable()
export class ApiKeysRepository {
  constructor(private readonly database: Database) {}

  findById(id: string, manager: EntityManager): Promise<ApiKey | null> {
    return manager.findOneBy(ApiKey, { id });
  }

  /** Newest first. Only keys whose clients and surfaces are all within those of the given grant. */
  findPage(
    { clientIds, surfaces }: Pick<Principal, 'clientIds' | 'surfaces'>,
    beforeId: string | null,
    take: number,
  ): Promise<ApiKey[]> {
    return this.database.manager
      .createQueryBuilder(ApiKey, 'key')
      .where(clientIds === null ? 'true' : 'key.client_ids <@ :clientIds', { clientIds })
      .andWhere(surfaces === null ? 'true' : 'key.surfaces <@ :surfaces', { surfaces })
      .andWhere(beforeId === null ? {} : { id: LessThan(beforeId) })
      .orderBy('key.id', 'DESC')
      .take(take)
      .getMany();
  }

  async insert(key: Omit<ApiKey, 'createdAt'>, manager: EntityManager): Promise<void> {
    await manager.insert(ApiKey, key);
  }

  /** False if it was already revoked. */
  async revoke(id: string, manager: EntityManager): Promise<boolean> {
    const { affected } = await manager.update(
      ApiKey,
      { id, revokedAt: IsNull() },
      { revokedAt: () => 'now()' },
    );
    return affected === 1;
  }
}
