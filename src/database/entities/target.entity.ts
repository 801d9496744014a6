import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';

export const TARGET_KINDS = ['wordpress', 'http'] as const;
export type TargetKind = (typeof TARGET_KINDS)[number];

export const TARGET_METHODS = ['PUT', 'POST'] as const;
export type TargetMethod = (typeof TARGET_METHODS)[number];

export const TARGET_STATES = ['connected', 'error', 'unverified', 'credentials_unreadable'] as const;
export type TargetState = (typeof TARGET_STATES)[number];

/** A system that a client's assets are delivered to. */
@Entity('targets')
export class Target {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  clientId: string;

  @Column('text')
  kind: TargetKind;

  @Column('text')
  name: string;

  /** Of a WordPress site, without a slash at the end. */
  @Column('text', { nullable: true })
  baseUrl: string | null;

  /** Where the site says its REST API is; null until it was found. */
  @Column('text', { nullable: true })
  restRoot: string | null;

  @Column('text', { nullable: true })
  username: string | null;

  /** Of an HTTP endpoint. */
  @Column('text', { nullable: true })
  url: string | null;

  @Column('text', { nullable: true })
  method: TargetMethod | null;

  /** Encrypted application password or bearer token. Null: none, or the target is deleted. */
  @Column('text', { nullable: true })
  credentials: string | null;

  /** Counts changes of the credentials. */
  @Column('integer')
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
