import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Client } from './client.entity.js';
import { isOneOf } from './one-of.js';

export const AGENT_STATES = ['idle', 'running', 'waiting', 'failed', 'stopped'] as const;
export type AgentState = (typeof AGENT_STATES)[number];

/** The last report of an SEO agent. */
@Entity('seo_agents')
@ForeignKey(() => Client, ['clientId'], ['id'], { name: 'seo_agents_client_id_fkey' })
@Index('seo_agents_by_client', ['clientId', 'id'])
@Check('seo_agents_state_check', isOneOf('state', AGENT_STATES))
export class SeoAgent {
  @PrimaryColumn('text')
  id: string;

  @PrimaryColumn('text')
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
