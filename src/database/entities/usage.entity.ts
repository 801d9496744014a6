import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';
import type { Surface } from '../../assets/surface.rules.js';
import type { UsageKind, UsageRole } from '../../usages/usage.rules.js';

/** One use of an asset: in a reference, as a post, or by a delivery. */
@Entity('usages')
export class Usage {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  clientId: string;

  @Column('uuid')
  assetId: string;

  @Column('text')
  kind: UsageKind;

  /** What the agent calls the post; of a delivery, its id. */
  @Column('text')
  externalId: string;

  @Column('text')
  surface: Surface;

  @Column('text')
  role: UsageRole;

  /** The place in the reference's list. */
  @Column('integer')
  position: number;

  @Column('text', { nullable: true })
  title: string | null;

  @Column('text', { nullable: true })
  url: string | null;

  /** The network of a social post. */
  @Column('text', { nullable: true })
  platform: string | null;

  @Column('timestamptz')
  usedAt: Date;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;

  @Column('text')
  createdBy: string;

  @Column('uuid', { nullable: true })
  createdById: string | null;
}
