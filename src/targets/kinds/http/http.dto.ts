import { ApiPropertyOptional, PartialType, PickType } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsIn, IsNotEmpty, IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { trimmed } from '../../../common/http/trimmed.js';
import { NewTargetDto } from '../../new-target.dto.js';
import { MAX_ADDRESS_INPUT } from '../../target-url.rules.js';
import { TARGET_METHODS, type TargetMethod } from './http-connection.js';

const BEARER_TOKEN = /^[\x21-\x7e]{1,4000}$/;

export class CreateHttpTargetDto extends NewTargetDto {
  /** @example "http" */
  @IsIn(['http'])
  kind: 'http';

  /** @example "Newsletter images" */
  override name: string;

  /**
   * Receives the bytes of a file as the request body.
   * @example "https://files.bakery.example/incoming"
   */
  @Transform(trimmed)
  @IsString()
  @IsNotEmpty()
  @MaxLength(MAX_ADDRESS_INPUT)
  url: string;

  /** @example "PUT" */
  @IsIn(TARGET_METHODS)
  method: TargetMethod;

  /**
   * Sent as `Authorization: Bearer …`. Never returned.
   * @example "3q2-7w.example.token"
   */
  @IsOptional()
  @Matches(BEARER_TOKEN, { message: 'bearerToken must be 1–4000 visible ASCII characters' })
  bearerToken?: string | null;
}

export class UpdateHttpTargetDto extends PartialType(
  PickType(CreateHttpTargetDto, ['method', 'bearerToken']),
  { skipNullProperties: false },
) {
  @ApiPropertyOptional({ description: 'HTTP endpoints only.' })
  override method?: TargetMethod;

  @ApiPropertyOptional({ description: 'HTTP endpoints only. Null removes it.' })
  override bearerToken?: string | null;
}

export class HttpTargetViewDto {
  /** HTTP endpoints only. */
  url?: string;
  /** HTTP endpoints only. */
  method?: TargetMethod;
  /** HTTP endpoints only: whether a token is stored. */
  hasBearerToken?: boolean;
}
