import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';

/** What each may do: `src/access/permissions.ts`. */
export const ROLES = ['owner', 'operator', 'viewer', 'client_manager', 'client_viewer', 'agent'] as const;
export type Role = (typeof ROLES)[number];

@Entity('users')
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

  @Column('text')
  passwordHash: string;

  @Column('boolean', { default: true })
  isActive: boolean;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz' })
  updatedAt: Date;
}
