import { Transform } from 'class-transformer';
import { IsNotEmpty, IsString, Length, MaxLength } from 'class-validator';
import { trimmed } from '../common/http/trimmed.js';
import { PASSWORD_LENGTH } from '../config/limits.js';
import type { SignIn } from '../database/entities/sign-in.entity.js';
import type { OpenLink } from '../users/password-links.js';

export class CheckInvitationDto {
  /**
   * What follows the `#` in the link.
   * @example "pX4yq0Yp3oWQb3l2mE0m6m5k1VQ8r0c8q4mZ6sJt7uE"
   */
  @IsString()
  @IsNotEmpty()
  @MaxLength(200)
  token: string;
}

export class AcceptInvitationDto extends CheckInvitationDto {
  /** @example "a-much-better-one" */
  @IsString()
  @Length(PASSWORD_LENGTH.min, PASSWORD_LENGTH.max)
  password: string;
}

export class InvitationDto {
  /** Whether the user has not had a password before. */
  isInvitation: boolean;
  /** @example "olga@agency.example" */
  email: string;
  /** @example "Olga Operator" */
  name: string;
  expiresAt: Date;

  static from({ user, expiresAt }: OpenLink): InvitationDto {
    return { isInvitation: user.passwordHash === null, email: user.email, name: user.name, expiresAt };
  }
}

export class ForgotPasswordDto {
  /** @example "operator@example.com" */
  @IsString()
  @IsNotEmpty()
  @MaxLength(320)
  email: string;
}

export class SignInOptionsDto {
  /** Whether people can ask for a link to choose a new password, which requires mail. */
  passwordReset: boolean;
}

export class UpdateMeDto {
  /** @example "Olga Operator" */
  @Transform(trimmed)
  @IsString()
  @IsNotEmpty()
  @MaxLength(200)
  name: string;
}

export class SignInDto {
  signInId: string;
  createdAt: Date;
  /** When it was last renewed, which happens every few minutes while it is used. */
  lastUsedAt: Date;
  /** Whether it is the sign-in of this request. */
  isCurrent: boolean;
  /**
   * How the browser or program described itself.
   * @example "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/148.0.0.0 Safari/537.36"
   */
  userAgent: string | null;

  static from({ id, createdAt, lastUsedAt, userAgent }: SignIn, currentId: string | null): SignInDto {
    return {
      signInId: id,
      createdAt,
      lastUsedAt: lastUsedAt ?? createdAt,
      isCurrent: id === currentId,
      userAgent,
    };
  }
}

export class SignInPageDto {
  signIns: SignInDto[];
  nextCursor: string | null;
}
