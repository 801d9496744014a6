import { Injectable } from '@nestjs/common';
import { In, IsNull, MoreThan, Not } from 'typeorm';
import type { InClient } from '../../access/principal.js';
import { Database } from '../../database/database.js';
import { SeoAgent } from '../../database/entities/seo-agent.entity.js';
import { type ClientIds, MAX_MATCHES } from '../reported-records.js';

@Injectable()
export class SeoAgentsRepository {
  constructor(private readonly database: Database) {}

  /** One for each client that uses the id. */
  find(clientIds: ClientIds, id: string): Promise<SeoAgent[]> {
    return this.database.manager.find(SeoAgent, {
      where: { id, clientId: clientIds === null ? Not(IsNull()) : In(clientIds) },
      order: { clientId: 'ASC' },
      take: MAX_MATCHES,
    });
  }

  findPage({ clientId }: InClient, after: string | null, take: number): Promise<SeoAgent[]> {
    return this.database.manager.find(SeoAgent, {
      where: { clientId, ...(after === null ? {} : { id: MoreThan(after) }) },
      order: { id: 'ASC' },
      take,
    });
  }

  async put(agent: SeoAgent): Promise<void> {
    await this.database.manager.query(
      `INSERT INTO seo_agents (id, client_id, state, task, detail, last_heartbeat_at) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (id, client_id) DO UPDATE SET state = $3, task = $4, detail = $5, last_heartbeat_at = $6`,
      [agent.id, agent.clientId, agent.state, agent.task, agent.detail, agent.lastHeartbeatAt],
    );
  }
}
