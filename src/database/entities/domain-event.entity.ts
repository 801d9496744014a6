import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { bigintAsNumber } from '../bigint.transformer.js';
import { Client } from './client.entity.js';

export const ACTOR_KINDS = ['user', 'api_key', 'system'] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];

const AUDITED = { where: 'actor_kind IS NOT NULL' };

/**
 * What happened, in the transaction in which it happened. Audit events have an actor: services record who did what, and they are never
 * modified. Changes have none: triggers record which rows of the library changed, and they are deleted after a day.
 */
@Entity('events')
@ForeignKey(() => Client, ['clientId'], ['id'], { name: 'events_client_id_fkey' })
@Check(
  'events_audited_or_changed',
  `CASE WHEN actor_kind IS NULL THEN action = subject_kind || '.changed'
     ELSE actor_name IS NOT NULL AND subject_id IS NOT NULL END`,
)
@Index('events_by_client', { synchronize: false })
@Index('events_by_actor', ['actorId', 'id'], AUDITED)
@Index('events_by_action', ['action', 'id'], AUDITED)
@Index('events_by_client_and_actor', ['clientId', 'actorId', 'id'], AUDITED)
@Index('events_by_client_and_action', ['clientId', 'action', 'id'], AUDITED)
@Index('events_by_subject', ['subjectId', 'clientId', 'id'], AUDITED)
@Index('events_changes', ['position'], { where: 'actor_kind IS NULL' })
export class DomainEvent {
  @PrimaryColumn('uuid')
  id: string;

  /** Set at commit, in commit order, so that whoever reads on from a position misses nothing. */
  @Column('bigint', { nullable: true, select: false, transformer: bigintAsNumber })
  position?: number | null;

  @Column('timestamptz', { default: () => 'now()' })
  at: Date;

  /** Null for records that belong to no client, such as users and API keys. */
  @Column('text', { nullable: true })
  clientId: string | null;

  @Column('text', { nullable: true })
  actorKind: ActorKind | null;

  @Column('uuid', { nullable: true })
  actorId: string | null;

  @Column('text', { nullable: true })
  actorName: string | null;

  @Column('text')
  action: string;

  @Column('text')
  subjectKind: string;

  /** Null for a change, which can be about many. */
  @Column('text', { nullable: true })
  subjectId: string | null;

  @Column('jsonb', { nullable: true })
  before: Record<string, unknown> | null;

  @Column('jsonb', { nullable: true })
  after: Record<string, unknown> | null;

  @Column('text', { nullable: true })
  requestId: string | null;
}
