import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ClientScope } from '../auth/principal.js';
import { Database } from '../database/database.js';
import { Asset } from '../database/entities/asset.entity.js';

export type NewAsset = Omit<Asset, 'version' | 'createdAt' | 'updatedAt'>;

@Injectable()
export class AssetsRepository {
  constructor(private readonly database: Database) {}

  findById(
    scope: ClientScope,
    id: string,
    manager: EntityManager = this.database.manager,
  ): Promise<Asset | null> {
    return manager.findOneBy(Asset, { clientId: scope.clientId, id });
  }

  /** The oldest asset of the client with the same bytes. */
  async findDuplicate(manager: EntityManager, clientId: string, sha256: string): Promise<string | null> {
    const asset = await manager.findOne(Asset, {
      where: { clientId, sha256 },
      order: { id: 'ASC' },
      select: { id: true },
    });
    return asset?.id ?? null;
  }

  async insert(manager: EntityManager, asset: NewAsset): Promise<void> {
    await manager.insert(Asset, { ...asset, version: 1 });
  }
}
