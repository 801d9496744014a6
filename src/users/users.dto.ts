import { ApiPropertyOptional, PartialType, PickType } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsEmail,
  IsIn,
  IsNotEmpty,
  IsOptional,
  IsString,
  Length,
  Matches,
  MaxLength,
} from 'class-validator';
import { PASSWORD_LENGTH } from '../config/limits.js';
import { Omittable } from '../common/http/omittable.decorator.js';
import { trimmed } from '../common/http/trimmed.js';
import { CLIENT_ID_PATTERN } from '../common/ids.js';
import { type Role, ROLES, type User } from '../database/entities/user.entity.js';
import type { DescribedUser } from './described-user.js';

export class CreateUserDto {
  /** @example "olga@agency.example" */
  @Transform(trimmed)
  @IsEmail()
  @MaxLength(320)
  email: string;

  /**
   * Omit it to invite the person: they choose their own password with a link. Requires `users:manage`.
   * @example "a-long-passphrase"
   */
  @Omittable()
  @IsString()
  @Length(PASSWORD_LENGTH.min, PASSWORD_LENGTH.max)
  password?: string;

  /** @example "Olga Operator" */
  @Transform(trimmed)
  @IsString()
  @IsNotEmpty()
  @MaxLength(200)
  name: string;

  /** @example "operator" */
  @IsIn(ROLES)
  role: Role;

  /**
   * Omitted or null means all clients. Portal roles require exactly one client.
   * @example ["demo"]
   */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(1000)
  @Matches(CLIENT_ID_PATTERN, { each: true })
  clientIds?: string[] | null;
}

export class UpdateUserDto extends PartialType(
  PickType(CreateUserDto, ['name', 'role', 'clientIds', 'password']),
  { skipNullProperties: false },
) {
  /** @example false */
  @Omittable()
  @IsBoolean()
  isActive?: boolean;

  @ApiPropertyOptional({ description: 'Null means all clients.' })
  override clientIds?: string[] | null;

  @ApiPropertyOptional({
    description: 'Sets a new password and ends all sign-ins of the user. Requires `users:manage`.',
  })
  override password?: string;
}

export const USER_STATES = ['active', 'invited', 'deactivated'] as const;
export type UserState = (typeof USER_STATES)[number];

export class UserDto {
  userId: string;
  /** @example "olga@agency.example" */
  email: string;
  /** @example "Olga Operator" */
  name: string;
  /** @example "operator" */
  role: Role;
  /**
   * Null means all clients.
   * @example ["demo"]
   */
  clientIds: string[] | null;
  isActive: boolean;
  /**
   * `invited`: has not chosen a password yet.
   * @example "active"
   */
  state: UserState;
  /** Until when an invited user can accept. Null if the invitation has ended; create a new link then. */
  linkExpiresAt: Date | null;
  createdAt: Date;
  updatedAt: Date;

  static from({ user, linkExpiresAt }: DescribedUser): UserDto {
    const { id, email, name, role, clientIds, isActive, createdAt, updatedAt } = user;
    return {
      userId: id,
      email,
      name,
      role,
      clientIds,
      isActive,
      state: stateOf(user),
      linkExpiresAt,
      createdAt,
      updatedAt,
    };
  }
}

function stateOf({ isActive, passwordHash }: User): UserState {
  if (!isActive) return 'deactivated';
  return passwordHash === null ? 'invited' : 'active';
}

export class PasswordLinkDto {
  /**
   * The page on which the user chooses a password. It is only shown once, and works once.
   * @example "https://assets.example.com/invitation#pX4yq0Yp3oWQb3l2mE0m6m5k1VQ8r0c8q4mZ6sJt7uE"
   */
  url: string;
  expiresAt: Date;
  /** Whether it is also sent to the user’s address. */
  isMailed: boolean;
}

export class CreatedUserDto extends UserDto {
  /** Null if the user was created with a password. */
  invitation: PasswordLinkDto | null;
}

export class UserPageDto {
  users: UserDto[];
  nextCursor: string | null;
}
