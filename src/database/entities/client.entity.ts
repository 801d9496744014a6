import { Check, Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';

/** A client of the agency: the tenant that owns everything in its library. */
@Entity('clients')
@Check('clients_id_check', `id ~ '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$'`)
export class Client {
  @PrimaryColumn('text')
  id: string;

  @Column('text')
  name: string;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz' })
  updatedAt: Date;
}
