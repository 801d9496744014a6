import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { type ConnectionState, CONNECTION_STATES } from './client-integration.entity.js';
import { Client } from './client.entity.js';
import { isOneOf } from './one-of.js';

export const ADS_PROVIDERS = ['google', 'meta', 'microsoft', 'linkedin', 'tiktok', 'pinterest'] as const;
export type AdsProvider = (typeof ADS_PROVIDERS)[number];

@Entity('ads_connections')
@ForeignKey(() => Client, ['clientId'], ['id'], { name: 'ads_connections_client_id_fkey' })
@Index('ads_connections_by_client', ['clientId', 'provider', 'id'])
@Check('ads_connections_state_check', isOneOf('state', CONNECTION_STATES))
export class AdsConnection {
  @PrimaryColumn('text')
  provider: AdsProvider;

  @PrimaryColumn('text')
  id: string;

  @PrimaryColumn('text')
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
