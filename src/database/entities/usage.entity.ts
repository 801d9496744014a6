import { Check, Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { Asset, type Surface, SURFACES } from './asset.entity.js';
import { isOneOf } from './one-of.js';

/** The kinds of posts that agents publish, and the surface of each (specification, section 4). */
export const SURFACE_OF_KIND = {
  seo_post: 'website',
  website_change: 'website',
  social_post: 'social',
  gbp_update: 'gbp',
} as const satisfies Record<string, Surface>;

export type ReferenceKind = keyof typeof SURFACE_OF_KIND;
export const REFERENCE_KINDS = Object.keys(SURFACE_OF_KIND) as ReferenceKind[];

/** A `delivery` names its delivery as the external id. */
export const USAGE_KINDS = [...REFERENCE_KINDS, 'delivery'] as const;
export type UsageKind = (typeof USAGE_KINDS)[number];

/** `featured` and `attached` make up a reference; `posted` and `delivered` are history. */
export const USAGE_ROLES = ['featured', 'attached', 'posted', 'delivered'] as const;
export type UsageRole = (typeof USAGE_ROLES)[number];

/** One use of an asset in one role: in a reference, as a post, or by a delivery. */
@Entity('usages')
@ForeignKey(() => Asset, ['clientId', 'assetId'], ['clientId', 'id'], {
  name: 'usages_asset_fkey',
  onDelete: 'CASCADE',
})
@Unique('usages_key', ['clientId', 'kind', 'externalId', 'role', 'assetId'])
@Check('usages_surface_check', isOneOf('surface', SURFACES))
@Check('usages_role_check', isOneOf('role', USAGE_ROLES))
@Index('usages_by_asset', { synchronize: false })
@Index('usages_live', ['clientId', 'assetId'], { where: `role IN ('featured', 'attached')` })
export class Usage {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  clientId: string;

  @Column('uuid')
  assetId: string;

  @Column('text')
  kind: UsageKind;

  /** The id of the post, chosen by the agent. For a delivery, the delivery id. */
  @Column('text')
  externalId: string;

  /** Identifies the post if `externalId` does not: a reference and the record that it was posted are one use. */
  @Column('text', { nullable: true })
  postId: string | null;

  @Column('text')
  surface: Surface;

  @Column('text')
  role: UsageRole;

  /** The position in the list of the reference. */
  @Column('integer', { default: 0 })
  position: number;

  @Column('text', { nullable: true })
  title: string | null;

  @Column('text', { nullable: true })
  url: string | null;

  /** The social network of the post. */
  @Column('text', { nullable: true })
  platform: string | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  usedAt: Date;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column('text')
  createdBy: string;

  @Column('uuid', { nullable: true })
  createdById: string | null;
}
