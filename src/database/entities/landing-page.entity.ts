import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Client } from './client.entity.js';

@Entity('landing_pages')
@ForeignKey(() => Client, ['clientId'], ['id'], { name: 'landing_pages_client_id_fkey' })
@Index('landing_pages_by_client', ['clientId', 'slug'])
export class LandingPage {
  @PrimaryColumn('text')
  slug: string;

  @Column('text')
  clientId: string;

  @Column('text')
  url: string;

  @Column('text')
  name: string;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;
}
