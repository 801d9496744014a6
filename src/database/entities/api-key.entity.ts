import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';
import type { Surface } from './asset.entity.js';
import type { Role } from './user.entity.js';

@Entity('api_keys')
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
