import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Client } from './client.entity.js';
import { isOneOf } from './one-of.js';

export const CONNECTION_STATES = ['connected', 'expired', 'revoked', 'error'] as const;
export type ConnectionState = (typeof CONNECTION_STATES)[number];

/** The state of a client's connection to another system, as last verified. */
@Entity('client_integrations')
@ForeignKey(() => Client, ['clientId'], ['id'], { name: 'client_integrations_client_id_fkey' })
@Check('client_integrations_state_check', isOneOf('state', CONNECTION_STATES))
export class ClientIntegration {
  @PrimaryColumn('text')
  clientId: string;

  @PrimaryColumn('text')
  kind: string;

  @Column('text')
  name: string;

  @Column('text')
  state: ConnectionState;

  @Column('timestamptz')
  lastVerifiedAt: Date;

  @Column('text', { nullable: true })
  detail: string | null;
}
