import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { InClient } from '../../access/principal.js';
import { Database } from '../../database/database.js';
import { ClientIntegration } from '../../database/entities/client-integration.entity.js';

@Injectable()
export class IntegrationsRepository {
  constructor(private readonly database: Database) {}

  findOfClient({ clientId }: InClient): Promise<ClientIntegration[]> {
    return this.database.manager.find(ClientIntegration, { where: { clientId }, order: { kind: 'ASC' } });
  }

  findOne({ clientId }: InClient, kind: string, manager: EntityManager): Promise<ClientIntegration | null> {
    return manager.findOneBy(ClientIntegration, { clientId, kind });
  }

  async put(integration: ClientIntegration, manager: EntityManager): Promise<void> {
    await manager.upsert(ClientIntegration, integration, ['clientId', 'kind']);
  }
}
