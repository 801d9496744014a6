import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { KeyedMutex } from '../common/keyed-mutex.js';
import { Database } from '../database/database.js';
import { FoldersRepository } from './folders.repository.js';

/**
 * Serializes changes of one client's folders, so that what was checked is still true when it is written. Changes in this process queue
 * before they take a connection: however many one client sends, the others still get connections.
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
        await this.folders.lockStructure({ clientId }, manager);
        return work(manager);
      }),
    );
  }
}
