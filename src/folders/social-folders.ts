import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { newId } from '../common/ids.js';
import type { SystemFolder } from '../database/entities/folder.entity.js';
import { nameKeyOf, SYSTEM_FOLDERS } from './folder-name.rules.js';
import { FoldersRepository } from './folders.repository.js';

/** Creates `Social` and `Social/Posted` for a new client. */
@Injectable()
export class SocialFolders {
  constructor(private readonly folders: FoldersRepository) {}

  async provision(manager: EntityManager, clientId: string): Promise<void> {
    const ids = new Map<SystemFolder, string>();
    for (const { key, name, parent } of SYSTEM_FOLDERS) {
      const id = newId();
      ids.set(key, id);
      const parentId = parent === null ? null : ids.get(parent)!;
      await this.folders.insert(
        {
          id,
          clientId,
          parentId,
          name,
          nameKey: nameKeyOf(name),
          systemKey: key,
        },
        manager,
      );
    }
  }
}
