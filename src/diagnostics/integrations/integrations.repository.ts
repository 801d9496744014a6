import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database } from '../../database/database.js';
import { ClientIntegration } from '../../database/entities/client-integration.entity.js';

@Injectable()
export class IntegrationsRepository {
  constructor(private readonly database: Database) {}

  findOfClient(clientId: string): Promise<ClientIntegration[]> {
    return this.database.manager.find(ClientIntegration, { where: { clientId }, order: { kind: 'ASC' } });
  }

  findOne(manager: EntityManager, clientId: string, kind: string): Promise<ClientIntegration | null> {
    return manager.findOneBy(ClientIntegration, { clientId, kind });
  }

  async put(manager: EntityManager, integration: ClientIntegration): Promise<void> {
    await manager.upsert(ClientIntegration, integration, ['clientId', 'kind']);
  }
}
