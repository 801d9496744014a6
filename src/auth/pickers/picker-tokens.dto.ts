import { IsIn, IsNotEmpty, IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { Flag } from '../../common/http/flag.decorator.js';
import { CLIENT_ID_PATTERN } from '../../common/ids.js';
import { type Surface, SURFACES } from '../../database/entities/asset.entity.js';
import type { OpenedPicker } from './picker-tokens.service.js';

export class CreatePickerTokenDto {
  /** @example "demo" */
  @IsString()
  @Matches(CLIENT_ID_PATTERN)
  clientId: string;

  /**
   * Only assets that are allowed on this surface are shown, and uploads are allowed only there. Omitted or null means all surfaces.
   * @example "social"
   */
  @IsOptional()
  @IsIn(SURFACES)
  surface?: Surface | null;

  /**
   * Whether several assets can be chosen.
   * @example true
   */
  @Flag()
  multiple?: boolean;

  /**
   * Whether files can be uploaded. Requires `assets:write`.
   * @example false
   */
  @Flag()
  uploads?: boolean;
}

export class CreatedPickerTokenDto {
  /**
   * For the fragment of `/embed/picker#token=…`. It works once and is only shown once.
   * @example "pX4yq0Yp3oWQb3l2mE0m6m5k1VQ8r0c8q4mZ6sJt7uE"
   */
  token: string;
  expiresAt: Date;
}

export class OpenPickerDto {
  /** @example "pX4yq0Yp3oWQb3l2mE0m6m5k1VQ8r0c8q4mZ6sJt7uE" */
  @IsString()
  @IsNotEmpty()
  @MaxLength(200)
  token: string;
}

export class OpenedPickerDto {
  accessToken: string;
  tokenType: 'Bearer';
  /** @example 3600 */
  expiresIn: number;
  /** @example "demo" */
  clientId: string;
  /**
   * Null means all surfaces.
   * @example "social"
   */
  surface: Surface | null;
  multiple: boolean;
  uploads: boolean;

  static from({ accessToken, expiresIn, allowed }: OpenedPicker): OpenedPickerDto {
    const { clientId, surface, multiple, uploads } = allowed;
    return { accessToken, tokenType: 'Bearer', expiresIn, clientId, surface, multiple, uploads };
  }
}
