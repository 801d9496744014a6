import { Check, Column, CreateDateColumn, Entity, PrimaryColumn, Unique, UpdateDateColumn } from 'typeorm';

/** What each may do: `src/access/permissions.ts`. */
export const ROLES = ['owner', 'operator', 'viewer', 'client_manager', 'client_viewer', 'agent'] as const;
export type Role = (typeof ROLES)[number];

@Entity('users')
@Unique('users_email_key', ['email'])
@Check('users_email_check', 'email = lower(email)')
@Check(
  'users_portal_has_one_client',
  `role NOT IN ('client_manager', 'client_viewer') OR cardinality(coalesce(client_ids, '{}')) = 1`,
)
export class User {
  @PrimaryColumn('uuid')
  id: string;

  /** Always lower case; unique. */
  @Column('text')
  email: string;

  @Column('text')
  name: string;

  @Column('text')
  role: Role;

  /** Null = all clients. */
  @Column('text', { array: true, nullable: true })
  clientIds: string[] | null;

  /** Null if the user signs in another way. */
  @Column('text', { nullable: true })
  passwordHash: string | null;

  @Column('boolean', { default: true })
  isActive: boolean;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz' })
  updatedAt: Date;
}
