import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';
import type { Surface } from '../../assets/surface.rules.js';
import type { Role } from '../../auth/permissions.js';

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
