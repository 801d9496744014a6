import { IsIn, IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { IsTime } from '../../common/http/is-time.decorator.js';
import { CLIENT_ID_PATTERN } from '../../common/ids.js';
import type { AdsConnection, AdsProvider } from '../../database/entities/ads-connection.entity.js';
import {
  CONNECTION_STATES,
  type ConnectionState,
} from '../../database/entities/client-integration.entity.js';

export class ReportConnectionDto {
  /** @example "demo" */
  @Matches(CLIENT_ID_PATTERN)
  clientId: string;

  /** @example "connected" */
  @IsIn(CONNECTION_STATES)
  state: ConnectionState;

  /** @example "123-456-7890" */
  @IsOptional()
  @IsString()
  @MaxLength(200)
  accountId?: string | null;

  /** @example "2030-01-01T00:00:00Z" */
  @IsOptional()
  @IsTime()
  tokenExpiresAt?: Date | null;

  @IsOptional()
  @IsString()
  @MaxLength(2000)
  detail?: string | null;
}

export class ConnectionDto {
  /** @example "google-demo" */
  connectionId: string;
  /** @example "google" */
  provider: AdsProvider;
  /** @example "demo" */
  clientId: string;
  /** @example "connected" */
  state: ConnectionState;
  accountId: string | null;
  tokenExpiresAt: Date | null;
  lastCheckedAt: Date;
  detail: string | null;

  static from(connection: AdsConnection): ConnectionDto {
    const { id, ...rest } = connection;
    return { connectionId: id, ...rest };
  }
}

export class ConnectionPageDto {
  connections: ConnectionDto[];
  nextCursor: string | null;
}
