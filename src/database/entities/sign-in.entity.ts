import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** One sign-in of a user: the family to which its refresh tokens belong, and that every access token names. */
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

  /** Fingerprint of the network that the user signed in from, for the login limits. */
  @Column('bytea', { nullable: true })
  networkHash: Buffer | null;

  @Column('timestamptz', { nullable: true })
  revokedAt: Date | null;
}
