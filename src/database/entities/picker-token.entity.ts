import { Check, Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { ApiKey } from './api-key.entity.js';
import type { Surface } from './asset.entity.js';
import { Client } from './client.entity.js';
import { SignIn } from './sign-in.entity.js';

/** What a picker in another page may do. It ends with the sign-in or API key that made it. */
@Entity('picker_tokens')
@ForeignKey(() => SignIn, ['signInId'], ['id'], {
  name: 'picker_tokens_sign_in_id_fkey',
  onDelete: 'CASCADE',
})
@ForeignKey(() => ApiKey, ['apiKeyId'], ['id'], {
  name: 'picker_tokens_api_key_id_fkey',
  onDelete: 'CASCADE',
})
@ForeignKey(() => Client, ['clientId'], ['id'], { name: 'picker_tokens_client_id_fkey' })
@Unique('picker_tokens_token_hash_key', ['tokenHash'])
@Unique('picker_tokens_access_hash_key', ['accessHash'])
@Check('picker_tokens_one_maker', 'num_nonnulls(sign_in_id, api_key_id) = 1')
@Index('picker_tokens_by_end', ['expiresAt'])
@Index('picker_tokens_by_sign_in', ['signInId'], { where: 'sign_in_id IS NOT NULL' })
export class PickerToken {
  @PrimaryColumn('uuid')
  id: string;

  /** SHA-256 of the token that the panel passes to the frame; the token itself is never stored. */
  @Column('bytea')
  tokenHash: Buffer;

  /** SHA-256 of the access token for which the token was exchanged. Null: it has not been used. */
  @Column('bytea', { nullable: true })
  accessHash: Buffer | null;

  @Column('uuid', { nullable: true })
  signInId: string | null;

  @Column('uuid', { nullable: true })
  apiKeyId: string | null;

  @Column('text')
  clientId: string;

  /** Null = all surfaces. */
  @Column('text', { nullable: true })
  surface: Surface | null;

  /** Whether several assets can be chosen. */
  @Column('boolean')
  multiple: boolean;

  @Column('boolean')
  uploads: boolean;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;

  /** Of the token until it is exchanged, then of the access token. */
  @Column('timestamptz')
  expiresAt: Date;
}
