import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** One sign-in of a user: the family of its refresh tokens. Every access token names it. */
@Entity('sign_ins')
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

  @Column('timestamptz', { nullable: true })
  revokedAt: Date | null;
}
