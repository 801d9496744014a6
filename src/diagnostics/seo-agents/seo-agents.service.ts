import { Injectable } from '@nestjs/common';
import { ClientScopes } from '../../auth/client-scopes.js';
import { hasAccessTo } from '../../access/permissions.js';
import type { Principal } from '../../access/principal.js';
import { Problem } from '../../common/errors/problem.js';
import type { SeoAgent } from '../../database/entities/seo-agent.entity.js';
import { requireRecordId } from '../record-id.js';
import type { ReportRuntimeDto } from './seo-agents.dto.js';
import { SeoAgentsRepository } from './seo-agents.repository.js';

/** An agent that has not reported for this long is probably gone. */
const STALE_AFTER_MS = 5 * 60_000;

@Injectable()
export class SeoAgentsService {
  constructor(
    private readonly agents: SeoAgentsRepository,
    private readonly scopes: ClientScopes,
  ) {}

  async get(actor: Principal, agentId: string): Promise<SeoAgent> {
    const agent = await this.agents.findById(agentId);
    if (agent === null || !hasAccessTo(actor, agent.clientId)) throw new Problem('agent_not_found');
    return agent;
  }

  async report(actor: Principal, agentId: string, report: ReportRuntimeDto): Promise<SeoAgent> {
    requireRecordId('agentId', agentId);
    const { clientId } = await this.scopes.ofClient(actor, report.clientId);
    const agent: SeoAgent = {
      id: agentId,
      clientId,
      state: report.state,
      task: report.task ?? null,
      detail: report.detail ?? null,
      lastHeartbeatAt: new Date(),
    };
    if (!(await this.agents.put(agent))) {
      // It belongs to another client: 404 for callers without access to that client.
      await this.get(actor, agentId);
      throw new Problem('belongs_to_other_client');
    }
    return agent;
  }

  isStale(agent: SeoAgent): boolean {
    return Date.now() - agent.lastHeartbeatAt.getTime() > STALE_AFTER_MS;
  }
}
