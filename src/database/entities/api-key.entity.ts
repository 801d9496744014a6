import { Check, Column, CreateDateColumn, Entity, PrimaryColumn, Unique } from 'typeorm';
import { type Surface, SURFACES } from './asset.entity.js';
import type { Role } from './user.entity.js';
import { onlyOf } from './one-of.js';

@Entity('api_keys')
@Unique('api_keys_key_hash_key', ['keyHash'])
@Check(
  'api_keys_portal_has_one_client',
  `role NOT IN ('client_manager', 'client_viewer') OR cardinality(coalesce(client_ids, '{}')) = 1`,
)
@Check('api_keys_surfaces', `${onlyOf('surfaces', SURFACES)} AND cardinality(surfaces) > 0`)
export class ApiKey {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  name: string;

  /** SHA-256 of the key; the key itself is shown once and never stored. */
  @Column('bytea')
  keyHash: Buffer;

  @Column('text')
  role: Role;

  /** Null = all clients. */
  @Column('text', { array: true, nullable: true })
  clientIds: string[] | null;

  /** Null = all surfaces. */
  @Column('text', { array: true, nullable: true })
  surfaces: Surface[] | null;

  @Column('timestamptz', { nullable: true })
  expiresAt: Date | null;

  @Column('timestamptz', { nullable: true })
  lastUsedAt: Date | null;

  @Column('timestamptz', { nullable: true })
  revokedAt: Date | null;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;
}
