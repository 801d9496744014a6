import { IsIn, IsNotEmpty, IsOptional, IsString, Length, MaxLength } from 'class-validator';
import { Flag } from '../common/http/flag.decorator.js';
import { Omittable } from '../common/http/omittable.decorator.js';
import { type Grant, type Permission, effectivePermissions } from '../access/permissions.js';
import type { Role } from '../database/entities/user.entity.js';
import { PASSWORD_LENGTH } from '../config/limits.js';
import type { IssuedTokens } from './sign-in.service.js';

/** What our own pages say about themselves when they sign in or refresh. */
class FromPageDto {
  /**
   * Whether the page is in a frame, as the picker is. It then also gets a cookie that browsers send in frames.
   * @example false
   */
  @Flag()
  embedded?: boolean;
}

export class LoginDto extends FromPageDto {
  /** @example "operator@example.com" */
  @IsString()
  @IsNotEmpty()
  @MaxLength(320)
  email: string;

  /** @example "demo-demo-demo" */
  @IsString()
  @IsNotEmpty()
  @MaxLength(PASSWORD_LENGTH.max)
  password: string;
}

export class RefreshDto extends FromPageDto {
  /**
   * If omitted, the token in the cookie set by signing in. This only works for requests from our own pages.
   * @example "AZqK3v1ccY2bO5dQ0rXW0fhZk3oWQb3l2mE0m6m5k1VQ8r0c8q4mZ6sJt7uEpX4y"
   */
  @Omittable()
  @IsString()
  @IsNotEmpty()
  @MaxLength(200)
  refreshToken?: string;
}

export class ChangePasswordDto {
  /** @example "demo-demo-demo" */
  @IsString()
  @IsNotEmpty()
  @MaxLength(PASSWORD_LENGTH.max)
  currentPassword: string;

  /** @example "a-much-better-one" */
  @IsString()
  @Length(PASSWORD_LENGTH.min, PASSWORD_LENGTH.max)
  newPassword: string;
}

/** RFC 6749, sections 4.3.2 and 6. Unknown fields are ignored, as the RFC requires. */
export class TokenRequestDto {
  /** @example "password" */
  @IsIn(['password', 'refresh_token'])
  grant_type: 'password' | 'refresh_token';

  /** @example "operator@example.com" */
  @IsOptional()
  @IsString()
  @MaxLength(320)
  username?: string;

  /** @example "demo-demo-demo" */
  @IsOptional()
  @IsString()
  @MaxLength(PASSWORD_LENGTH.max)
  password?: string;

  @IsOptional()
  @IsString()
  @MaxLength(200)
  refresh_token?: string;
}

export class TokenResponseDto {
  access_token: string;
  token_type: 'Bearer';
  /** @example 900 */
  expires_in: number;
  refresh_token: string;

  static from(issued: IssuedTokens): TokenResponseDto {
    return {
      access_token: issued.accessToken,
      token_type: 'Bearer',
      expires_in: issued.expiresIn,
      refresh_token: issued.refreshToken,
    };
  }
}

export class MeDto {
  /** Id of the user, or of the API key that is calling. */
  userId: string;
  /** @example "operator@example.com" */
  email: string | null;
  /** @example "Olga Operator" */
  name: string;
  /** @example "operator" */
  role: Role;
  /** @example ["platform:access", "clients:read"] */
  permissions: Permission[];
  /**
   * Null means all clients.
   * @example ["demo"]
   */
  clientIds: string[] | null;
  /**
   * The name of the client, for callers of the portal. Null for everyone else.
   * @example "Corner Bakery"
   */
  clientName: string | null;

  static from(
    holder: Grant & { id: string; email: string | null; name: string },
    clientName: string | null,
  ): MeDto {
    return {
      userId: holder.id,
      email: holder.email,
      name: holder.name,
      role: holder.role,
      permissions: [...effectivePermissions(holder)],
      clientIds: holder.clientIds === null ? null : [...holder.clientIds],
      clientName,
    };
  }
}

export class SignedInDto {
  accessToken: string;
  refreshToken: string;
  tokenType: 'Bearer';
  /** @example 900 */
  expiresIn: number;
  user: MeDto;

  static from(issued: IssuedTokens, clientName: string | null): SignedInDto {
    return {
      accessToken: issued.accessToken,
      refreshToken: issued.refreshToken,
      tokenType: 'Bearer',
      expiresIn: issued.expiresIn,
      user: MeDto.from(issued.user, clientName),
    };
  }
}
