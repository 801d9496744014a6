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
import { oneOf } from './one-of.js';

export const TARGET_KINDS = ['wordpress', 'http'] as const;
export type TargetKind = (typeof TARGET_KINDS)[number];

export const TARGET_METHODS = ['PUT', 'POST'] as const;
export type TargetMethod = (typeof TARGET_METHODS)[number];

export const TARGET_STATES = ['connected', 'error', 'unverified', 'credentials_unreadable'] as const;
export type TargetState = (typeof TARGET_STATES)[number];

/** A system that receives a client's assets. */
@Entity('targets')
@ForeignKey(() => Client, ['clientId'], ['id'], { name: 'targets_client_id_fkey' })
@Unique('targets_client_id_id_key', ['clientId', 'id'])
@Check('targets_kind_check', oneOf('kind', TARGET_KINDS))
@Check('targets_method_check', oneOf('method', TARGET_METHODS))
@Check('targets_state_check', oneOf('state', TARGET_STATES))
@Check(
  'targets_fields_of_kind',
  `CASE kind
     WHEN 'wordpress' THEN num_nulls(base_url, username) = 0 AND num_nonnulls(url, method) = 0
     ELSE num_nulls(url, method) = 0 AND num_nonnulls(base_url, rest_root, username) = 0
   END`,
)
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

  /** For a WordPress site, without a trailing slash. */
  @Column('text', { nullable: true })
  baseUrl: string | null;

  /** The address of the site's REST API; null until it is discovered. */
  @Column('text', { nullable: true })
  restRoot: string | null;

  @Column('text', { nullable: true })
  username: string | null;

  /** HTTP endpoints only. */
  @Column('text', { nullable: true })
  url: string | null;

  @Column('text', { nullable: true })
  method: TargetMethod | null;

  /** The encrypted application password or bearer token. Null if there is none or the target is deleted. */
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
