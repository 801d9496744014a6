import { Transform } from 'class-transformer';
import { IsIn, IsNotEmpty, IsOptional, IsString, MaxLength } from 'class-validator';
import { ClientDto } from '../../clients/clients.dto.js';
import { IsTime } from '../../common/http/is-time.decorator.js';
import { trimmed } from '../../common/http/trimmed.js';
import {
  type ClientIntegration,
  CONNECTION_STATES,
  type ConnectionState,
} from '../../database/entities/client-integration.entity.js';

import type { Target, TargetState } from '../../database/entities/target.entity.js';

export class PutIntegrationDto {
  /** @example "bakery.example (WordPress)" */
  @Transform(trimmed)
  @IsString()
  @IsNotEmpty()
  @MaxLength(200)
  name: string;

  /** @example "connected" */
  @IsIn(CONNECTION_STATES)
  state: ConnectionState;

  @IsOptional()
  @IsString()
  @MaxLength(2000)
  detail?: string | null;

  /** Defaults to now. */
  @IsOptional()
  @IsTime()
  lastVerifiedAt?: Date;
}

export class IntegrationDto {
  /** @example "wordpress" */
  kind: string;
  name: string;
  /** Targets can also be `unverified` or `credentials_unreadable`. */
  state: ConnectionState | TargetState;
  /** Null means never. */
  lastVerifiedAt: Date | null;
  detail: string | null;

  static from({ kind, name, state, lastVerifiedAt, detail }: ClientIntegration | Target): IntegrationDto {
    return { kind, name, state, lastVerifiedAt, detail };
  }
}

export class ClientRecordDto extends ClientDto {
  integrations: IntegrationDto[];
}
