import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { User } from './user.entity.js';

/** One sign-in of a user: the family of its refresh tokens. Every access token names it. */
@Entity('sign_ins')
@ForeignKey(() => User, ['userId'], ['id'], { name: 'sign_ins_user_id_fkey', onDelete: 'CASCADE' })
@Index('sign_ins_by_end', { synchronize: false })
@Index('sign_ins_by_user', ['userId', 'networkHash'])
export class SignIn {
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid')
  userId: string;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;

  @Column('timestamptz')
  expiresAt: Date;

  /** A fingerprint of the network from which the user signed in, for the login limits. */
  @Column('bytea', { nullable: true })
  networkHash: Buffer | null;

  /** The browser or program that signed in, as it described itself; at most 300 characters. */
  @Column('text', { nullable: true })
  userAgent: string | null;

  /** When it was last refreshed. */
  @Column('timestamptz', { nullable: true })
  lastUsedAt: Date | null;

  @Column('timestamptz', { nullable: true })
  revokedAt: Date | null;
}
