import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Folder } from '../database/entities/folder.entity.js';

@Injectable()
export class FoldersRepository {
  async insert(manager: EntityManager, folders: readonly Omit<Folder, 'createdAt' | 'updatedAt'>[]): Promise<void> {
    await manager.insert(Folder, [...folders]);
  }
}
