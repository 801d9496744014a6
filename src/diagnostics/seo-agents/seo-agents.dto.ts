import { IsIn, IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { CLIENT_ID_PATTERN } from '../../common/ids.js';
import { AGENT_STATES, type AgentState, type SeoAgent } from '../../database/entities/seo-agent.entity.js';

export class ReportRuntimeDto {
  /** @example "demo" */
  @Matches(CLIENT_ID_PATTERN)
  clientId: string;

  /** @example "running" */
  @IsIn(AGENT_STATES)
  state: AgentState;

  /** @example "Writing: autumn breads" */
  @IsOptional()
  @IsString()
  @MaxLength(500)
  task?: string | null;

  @IsOptional()
  @IsString()
  @MaxLength(2000)
  detail?: string | null;
}

export class RuntimeDto {
  /** @example "seo-demo-1" */
  agentId: string;
  /** @example "demo" */
  clientId: string;
  /** @example "running" */
  state: AgentState;
  task: string | null;
  lastHeartbeatAt: Date;
  /** Whether the last report is too old to be trusted. */
  stale: boolean;
  detail: string | null;

  static from(agent: SeoAgent, stale: boolean): RuntimeDto {
    const { id, clientId, state, task, lastHeartbeatAt, detail } = agent;
    return { agentId: id, clientId, state, task, lastHeartbeatAt, stale, detail };
  }
}

export class RuntimePageDto {
  agents: RuntimeDto[];
  nextCursor: string | null;
}
