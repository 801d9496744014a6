import { Injectable } from '@nestjs/common';
import { ClientScopes } from '../../auth/client-scopes.js';
import type { ClientScope, Principal } from '../../access/principal.js';
import { decodeCursor, isText, type Page, type PageQuery, toPage } from '../../common/paging/page.js';
import type { SeoAgent } from '../../database/entities/seo-agent.entity.js';
import type { RecordQuery } from '../record.query.js';
import { clientsToSearch, onlyMatch, requireRecordId } from '../reported-records.js';
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

  async get(actor: Principal, agentId: string, query: RecordQuery): Promise<SeoAgent> {
    return onlyMatch(await this.agents.find(clientsToSearch(actor, query), agentId), 'agent_not_found');
  }

  async list(scope: ClientScope, { cursor, limit }: PageQuery): Promise<Page<SeoAgent>> {
    const after = decodeCursor(cursor, isText);
    return toPage(await this.agents.findPage(scope, after, limit + 1), limit, ({ id }) => id);
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
    await this.agents.put(agent);
    return agent;
  }

  isStale(agent: SeoAgent): boolean {
    return Date.now() - agent.lastHeartbeatAt.getTime() > STALE_AFTER_MS;
  }
}
