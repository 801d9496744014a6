import {
  Check,
  Column,
  CreateDateColumn,
  Entity,
  ForeignKey,
  Index,
  PrimaryColumn,
  Unique,
  UpdateDateColumn,
} from 'typeorm';
import { Client } from './client.entity.js';
import { isOneOf } from './one-of.js';

export const TARGET_KINDS = ['wordpress', 'http'] as const;
export type TargetKind = (typeof TARGET_KINDS)[number];

export const TARGET_STATES = ['connected', 'error', 'unverified', 'credentials_unreadable'] as const;
export type TargetState = (typeof TARGET_STATES)[number];

/** A system that receives a client's assets. */
@Entity('targets')
@ForeignKey(() => Client, ['clientId'], ['id'], { name: 'targets_client_id_fkey' })
@Unique('targets_client_id_id_key', ['clientId', 'id'])
@Check('targets_kind_check', isOneOf('kind', TARGET_KINDS))
@Check('targets_state_check', isOneOf('state', TARGET_STATES))
@Check('targets_deleted_without_credentials', 'deleted_at IS NULL OR credentials IS NULL')
@Index('targets_live_name', { synchronize: false })
export class Target {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  clientId: string;

  @Column('text')
  kind: TargetKind;

  @Column('text')
  name: string;

  /** What its kind needs to reach it, apart from the credentials. */
  @Column('jsonb')
  settings: object;

  /** The secrets of its kind: an encrypted JSON object. Null if there are none or the target is deleted. */
  @Column('text', { nullable: true })
  credentials: string | null;

  /** Counts changes of the credentials. */
  @Column('integer', { default: 1 })
  revision: number;

  @Column('text')
  state: TargetState;

  @Column('timestamptz', { nullable: true })
  lastVerifiedAt: Date | null;

  @Column('text', { nullable: true })
  detail: string | null;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz' })
  updatedAt: Date;

  @Column('timestamptz', { nullable: true })
  deletedAt: Date | null;
}
