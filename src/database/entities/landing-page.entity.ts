import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

@Entity('landing_pages')
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
