import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ConnectionState } from './client-integration.entity.js';

export const ADS_PROVIDERS = ['google', 'meta', 'microsoft', 'linkedin', 'tiktok', 'pinterest'] as const;
export type AdsProvider = (typeof ADS_PROVIDERS)[number];

@Entity('ads_connections')
export class AdsConnection {
  @PrimaryColumn('text')
  provider: AdsProvider;

  @PrimaryColumn('text')
  id: string;

  @Column('text')
  clientId: string;

  @Column('text')
  state: ConnectionState;

  @Column('text', { nullable: true })
  accountId: string | null;

  @Column('timestamptz', { nullable: true })
  tokenExpiresAt: Date | null;

  @Column('text', { nullable: true })
  detail: string | null;

  @Column('timestamptz')
  lastCheckedAt: Date;
}
