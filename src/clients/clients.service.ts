import { Injectable } from '@nestjs/common';
import { AuditService } from '../audit/audit.service.js';
import type { ClientScope, Principal } from '../access/principal.js';
import { Problem } from '../common/errors/problem.js';
import { violatedUnique } from '../common/errors/database-errors.js';
import { newId } from '../common/ids.js';
import { decodeCursor, isText, type Page, type PageQuery, toPage } from '../common/paging/page.js';
import { Database } from '../database/database.js';
import type { Client } from '../database/entities/client.entity.js';
import { FoldersRepository } from '../folders/folders.repository.js';
import { ClientsRepository } from './clients.repository.js';

@Injectable()
export class ClientsService {
  constructor(
    private readonly database: Database,
    private readonly clients: ClientsRepository,
    private readonly folders: FoldersRepository,
    private readonly audit: AuditService,
  ) {}

  /** `text`: a part of the name or id. */
  async list(actor: Principal, query: PageQuery, text?: string): Promise<Page<Client>> {
    const after = decodeCursor(query.cursor, isText);
    const rows = await this.clients.findPage(actor.clientIds, after, query.limit + 1, text);
    return toPage(rows, query.limit, (client) => client.id);
  }

  async get(scope: ClientScope): Promise<Client> {
    const client = await this.clients.findById(scope.clientId);
    if (client === null) throw new Problem('client_not_found');
    return client;
  }

  /** Creates the client and its `Social` folders in one transaction. A null actor is the service itself. */
  async create(
    actor: Principal | null,
    { clientId = newId(), name }: { clientId?: string; name: string },
  ): Promise<Client> {
    // A new client would be outside the clients of a limited caller, who could neither grant nor see it.
    if (actor !== null && actor.clientIds !== null) {
      throw new Problem('grant_not_held', 'Only callers with access to all clients can create a client.');
    }
    try {
      return await this.database.transaction(async (manager) => {
        await this.clients.insert({ id: clientId, name }, manager);
        await this.folders.insertSystemFolders({ clientId }, manager);
        await this.audit.record(manager, {
          actor,
          clientId,
          action: 'client.create',
          subject: ['client', clientId],
          after: { name },
        });
        return (await this.clients.findById(clientId, manager))!;
      });
    } catch (error) {
      if (violatedUnique(error) === 'clients_pkey') throw new Problem('client_id_taken');
      throw error;
    }
  }

  async update({ clientId, actor }: ClientScope, change: { name: string }): Promise<Client> {
    return this.database.transaction(async (manager) => {
      const client = await this.clients.lock(clientId, manager);
      if (client === null) throw new Problem('client_not_found');
      await this.clients.update(clientId, change, manager);
      await this.audit.record(manager, {
        actor,
        clientId,
        action: 'client.update',
        subject: ['client', clientId],
        before: { name: client.name },
        after: change,
      });
      return (await this.clients.findById(clientId, manager))!;
    });
  }
}
