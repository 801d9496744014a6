import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Client } from './client.entity.js';

export const ACTOR_KINDS = ['user', 'api_key', 'system'] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];

/** Who did what. Written in the same transaction as the change and never modified. */
@Entity('audit_events')
@ForeignKey(() => Client, ['clientId'], ['id'], { name: 'audit_events_client_id_fkey' })
@Index('audit_events_by_client', { synchronize: false })
@Index('audit_events_by_subject', ['clientId', 'subjectId', 'id'])
export class AuditEvent {
  @PrimaryColumn('uuid')
  id: string;

  @Column('timestamptz', { default: () => 'now()' })
  at: Date;

  /** Null for records that belong to no client, such as users and API keys. */
  @Column('text', { nullable: true })
  clientId: string | null;

  @Column('text')
  actorKind: ActorKind;

  @Column('uuid', { nullable: true })
  actorId: string | null;

  @Column('text')
  actorName: string;

  @Column('text')
  action: string;

  @Column('text')
  subjectKind: string;

  @Column('text')
  subjectId: string;

  @Column('jsonb', { nullable: true })
  before: Record<string, unknown> | null;

  @Column('jsonb', { nullable: true })
  after: Record<string, unknown> | null;

  @Column('text', { nullable: true })
  requestId: string | null;
}
