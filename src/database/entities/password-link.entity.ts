import { Check, Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { User } from './user.entity.js';

export const LINK_MAKERS = ['user', 'api_key'] as const;
export type LinkMaker = (typeof LINK_MAKERS)[number];

/** A link with which a user chooses a password: an invitation, or after the password was lost. It is deleted when it is used or replaced. */
@Entity('password_links')
@ForeignKey(() => User, ['userId'], ['id'], { name: 'password_links_user_id_fkey', onDelete: 'CASCADE' })
@Check('password_links_maker', '(maker_kind IS NULL) = (maker_id IS NULL)')
@Index('password_links_by_user', ['userId'])
@Index('password_links_by_expiry', ['expiresAt'])
export class PasswordLink {
  /** SHA-256 of the token; the token itself is never stored. */
  @PrimaryColumn('bytea')
  tokenHash: Buffer;

  @Column('uuid')
  userId: string;

  /** Who made it for the user. Null if the user asked for it. */
  @Column('text', { nullable: true })
  makerKind: LinkMaker | null;

  @Column('uuid', { nullable: true })
  makerId: string | null;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;

  @Column('timestamptz')
  expiresAt: Date;
}
