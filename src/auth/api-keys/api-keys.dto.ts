import { Transform } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsIn,
  IsNotEmpty,
  IsOptional,
  IsString,
  Matches,
  MaxLength,
  MinDate,
} from 'class-validator';
import { IsSurfaces } from '../../access/is-surfaces.decorator.js';
import type { Surface } from '../../database/entities/asset.entity.js';
import { IsTime } from '../../common/http/is-time.decorator.js';
import { trimmed } from '../../common/http/trimmed.js';
import { CLIENT_ID_PATTERN } from '../../common/ids.js';
import type { ApiKey } from '../../database/entities/api-key.entity.js';
import { type Role, ROLES } from '../../database/entities/user.entity.js';

export class CreateApiKeyDto {
  /** @example "Social agent" */
  @Transform(trimmed)
  @IsString()
  @IsNotEmpty()
  @MaxLength(200)
  name: string;

  /** @example "agent" */
  @IsIn(ROLES)
  role: Role;

  /**
   * Omitted or null means all clients.
   * @example ["demo"]
   */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(1000)
  @Matches(CLIENT_ID_PATTERN, { each: true })
  clientIds?: string[] | null;

  /**
   * The surfaces for which the key can use assets. Omitted or null means all surfaces.
   * @example ["social"]
   */
  @IsOptional()
  @IsSurfaces()
  @ArrayMinSize(1)
  surfaces?: Surface[] | null;

  /** @example "2030-01-01T00:00:00Z" */
  @IsOptional()
  @IsTime()
  @MinDate(() => new Date(), { message: 'expiresAt must be in the future' })
  expiresAt?: Date | null;
}

export class ApiKeyDto {
  keyId: string;
  /** @example "Social agent" */
  name: string;
  /** @example "agent" */
  role: Role;
  /**
   * Null means all clients.
   * @example ["demo"]
   */
  clientIds: string[] | null;
  /**
   * Null means all surfaces.
   * @example ["social"]
   */
  surfaces: Surface[] | null;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
  createdAt: Date;

  static from(key: ApiKey): ApiKeyDto {
    const { id, name, role, clientIds, surfaces, expiresAt, lastUsedAt, revokedAt, createdAt } = key;
    return { keyId: id, name, role, clientIds, surfaces, expiresAt, lastUsedAt, revokedAt, createdAt };
  }
}

export class CreatedApiKeyDto extends ApiKeyDto {
  /**
   * The key itself. It is only shown once.
   * @example "cal_pX4yq0Yp3oWQb3l2mE0m6m5k1VQ8r0c8q4mZ6sJt7uE"
   */
  key: string;
}

export class ApiKeyPageDto {
  apiKeys: ApiKeyDto[];
  nextCursor: string | null;
}
