import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { SignIn } from './sign-in.entity.js';

@Entity('refresh_tokens')
@ForeignKey(() => SignIn, ['signInId'], ['id'], {
  name: 'refresh_tokens_sign_in_id_fkey',
  onDelete: 'CASCADE',
})
@Index('refresh_tokens_by_sign_in', ['signInId'])
export class RefreshToken {
  /** SHA-256 of the token; the token itself is never stored. */
  @PrimaryColumn('bytea')
  tokenHash: Buffer;

  @Column('uuid')
  signInId: string;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;

  @Column('timestamptz')
  expiresAt: Date;

  @Column('timestamptz', { nullable: true })
  usedAt: Date | null;
}
