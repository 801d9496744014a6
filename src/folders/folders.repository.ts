import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ClientScope } from '../auth/principal.js';
import { Database } from '../database/database.js';
import { Folder } from '../database/entities/folder.entity.js';

@Injectable()
export class FoldersRepository {
  constructor(private readonly database: Database) {}

  exists(scope: ClientScope, id: string, manager: EntityManager = this.database.manager): Promise<boolean> {
    return manager.existsBy(Folder, { clientId: scope.clientId, id });
  }

  async insert(
    manager: EntityManager,
    folders: readonly Omit<Folder, 'createdAt' | 'updatedAt'>[],
  ): Promise<void> {
    await manager.insert(Folder, [...folders]);
  }
}
