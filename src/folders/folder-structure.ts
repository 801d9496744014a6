import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { KeyedMutex } from '../common/keyed-mutex.js';
import { Database } from '../database/database.js';
import { FoldersRepository } from './folders.repository.js';

/**
 * Changes of one client's folders happen one after the other, so that what was checked still holds when it is written. Those of
 * this process queue before they take a connection: however many one client sends, the others find connections.
 */
@Injectable()
export class FolderStructure {
  private readonly queue = new KeyedMutex();

  constructor(
    private readonly database: Database,
    private readonly folders: FoldersRepository,
  ) {}

  change<T>(clientId: string, work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.queue.run(clientId, () =>
      this.database.transaction(async (manager) => {
        await this.folders.lockStructure(manager, clientId);
        return work(manager);
      }),
    );
  }
}
