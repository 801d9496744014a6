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

  @Column('timestamptz', { nullable: true })
  revokedAt: Date | null;
}
