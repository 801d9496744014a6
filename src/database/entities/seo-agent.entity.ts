import { Column, Entity, PrimaryColumn } from 'typeorm';

export const AGENT_STATES = ['idle', 'running', 'waiting', 'failed', 'stopped'] as const;
export type AgentState = (typeof AGENT_STATES)[number];

/** The last report of an SEO agent. */
@Entity('seo_agents')
export class SeoAgent {
  @PrimaryColumn('text')
  id: string;

  @Column('text')
  clientId: string;

  @Column('text')
  state: AgentState;

  @Column('text', { nullable: true })
  task: string | null;

  @Column('text', { nullable: true })
  detail: string | null;

  @Column('timestamptz')
  lastHeartbeatAt: Date;
}
