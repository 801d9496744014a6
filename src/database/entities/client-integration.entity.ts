import { Column, Entity, PrimaryColumn } from 'typeorm';

export const CONNECTION_STATES = ['connected', 'expired', 'revoked', 'error'] as const;
export type ConnectionState = (typeof CONNECTION_STATES)[number];

/** The state of a client's connection to another system, as last verified. */
@Entity('client_integrations')
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
