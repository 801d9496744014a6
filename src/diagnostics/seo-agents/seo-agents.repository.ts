import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { SeoAgent } from '../../database/entities/seo-agent.entity.js';

@Injectable()
export class SeoAgentsRepository {
  constructor(private readonly database: Database) {}

  findById(id: string): Promise<SeoAgent | null> {
    return this.database.manager.findOneBy(SeoAgent, { id });
  }

  /** False if the agent belongs to another client: a report never moves it. */
  async put(agent: SeoAgent): Promise<boolean> {
    const rows = await this.database.manager.query<unknown[]>(
      `INSERT INTO seo_agents (id, client_id, state, task, detail, last_heartbeat_at) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (id) DO UPDATE SET state = $3, task = $4, detail = $5, last_heartbeat_at = $6
         WHERE seo_agents.client_id = $2 RETURNING 1`,
      [agent.id, agent.clientId, agent.state, agent.task, agent.detail, agent.lastHeartbeatAt],
    );
    return rows.length === 1;
  }
}
