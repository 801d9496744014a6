import { Transform } from 'class-transformer';
import { IsIn, IsNotEmpty, IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { NoControlCharacters } from '../common/http/limit.decorators.js';
import { Omittable } from '../common/http/omittable.decorator.js';
import { trimmed } from '../common/http/trimmed.js';
import type { Target, TargetKind, TargetMethod, TargetState } from '../database/entities/target.entity.js';
import { TARGET_KINDS, TARGET_METHODS } from '../database/entities/target.entity.js';
import { DiagnosisDto } from '../common/diagnosis.dto.js';

/** Enough to read `kind`, on which everything else depends. */
export class TargetKindDto {
  /** @example "wordpress" */
  @IsIn(TARGET_KINDS)
  kind: TargetKind;
}

/** @internal Far longer than any address; the service reports addresses that are too long. */
const MAX_ADDRESS_INPUT = 10_000;
const BEARER_TOKEN = /^[\x21-\x7e]{1,4000}$/;

export class CreateWordPressTargetDto {
  /** @example "wordpress" */
  @IsIn(['wordpress'])
  kind: 'wordpress';

  /**
   * Unique among the targets of the client, ignoring case.
   * @example "bakery.example"
   */
  @Transform(trimmed)
  @IsString()
  @IsNotEmpty()
  @MaxLength(200)
  @NoControlCharacters()
  name: string;

  /**
   * The address of the home page.
   * @example "https://bakery.example"
   */
  @Transform(trimmed)
  @IsString()
  @IsNotEmpty()
  @MaxLength(MAX_ADDRESS_INPUT)
  baseUrl: string;

  /**
   * User name or email address of a user with the role Author or higher.
   * @example "asset-library"
   */
  @Transform(trimmed)
  @IsString()
  @IsNotEmpty()
  @MaxLength(200)
  @NoControlCharacters()
  @Matches(/^[^:]*$/, { message: 'username must not contain a colon' })
  username: string;

  /**
   * An application password of that user, created in their WordPress profile. Never returned.
   * @example "abcd efgh ijkl mnop qrst uvwx"
   */
  @IsString()
  @IsNotEmpty()
  @MaxLength(500)
  @NoControlCharacters()
  applicationPassword: string;
}

export class CreateHttpTargetDto {
  /** @example "http" */
  @IsIn(['http'])
  kind: 'http';

  /**
   * Unique among the targets of the client, ignoring case.
   * @example "Newsletter images"
   */
  @Transform(trimmed)
  @IsString()
  @IsNotEmpty()
  @MaxLength(200)
  @NoControlCharacters()
  name: string;

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

export type CreateTargetDto = CreateWordPressTargetDto | CreateHttpTargetDto;

/** The address of a target cannot be changed: another address is another target. */
export class UpdateTargetDto {
  /** @example "bakery.example" */
  @Omittable()
  @Transform(trimmed)
  @IsString()
  @IsNotEmpty()
  @MaxLength(200)
  @NoControlCharacters()
  name?: string;

  /**
   * WordPress only.
   * @example "asset-library"
   */
  @Omittable()
  @Transform(trimmed)
  @IsString()
  @IsNotEmpty()
  @MaxLength(200)
  @NoControlCharacters()
  @Matches(/^[^:]*$/, { message: 'username must not contain a colon' })
  username?: string;

  /**
   * WordPress only.
   * @example "abcd efgh ijkl mnop qrst uvwx"
   */
  @Omittable()
  @IsString()
  @IsNotEmpty()
  @MaxLength(500)
  @NoControlCharacters()
  applicationPassword?: string;

  /**
   * HTTP endpoints only.
   * @example "POST"
   */
  @Omittable()
  @IsIn(TARGET_METHODS)
  method?: TargetMethod;

  /**
   * HTTP endpoints only. Null removes it.
   * @example "3q2-7w.example.token"
   */
  @IsOptional()
  @Matches(BEARER_TOKEN, { message: 'bearerToken must be 1–4000 visible ASCII characters' })
  bearerToken?: string | null;
}

export class TargetDto {
  targetId: string;
  /** @example "demo" */
  clientId: string;
  /** @example "wordpress" */
  kind: TargetKind;
  /** @example "bakery.example" */
  name: string;
  /**
   * WordPress only.
   * @example "https://bakery.example"
   */
  baseUrl?: string;
  /**
   * WordPress only.
   * @example "asset-library"
   */
  username?: string;
  /** HTTP endpoints only. */
  url?: string;
  /** HTTP endpoints only. */
  method?: TargetMethod;
  /** HTTP endpoints only: whether a token is stored. */
  hasBearerToken?: boolean;
  /** @example "connected" */
  state: TargetState;
  lastVerifiedAt: Date | null;
  /** What is wrong, in one sentence. */
  detail: string | null;
  createdAt: Date;
  updatedAt: Date;

  static from(target: Target): TargetDto {
    const { id, clientId, kind, name, state, lastVerifiedAt, detail, createdAt, updatedAt } = target;
    return {
      targetId: id,
      clientId,
      kind,
      name,
      ...(kind === 'wordpress'
        ? { baseUrl: target.baseUrl!, username: target.username! }
        : { url: target.url!, method: target.method!, hasBearerToken: target.credentials !== null }),
      state,
      lastVerifiedAt,
      detail,
      createdAt,
      updatedAt,
    };
  }
}

export class VerifiedTargetDto extends TargetDto {
  /** The result of the verification. Absent if the change did not require one. */
  verification?: DiagnosisDto;
}

export class TargetPageDto {
  targets: TargetDto[];
  nextCursor: string | null;
}
