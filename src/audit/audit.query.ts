import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsOptional, IsUUID, Matches, MaxLength } from 'class-validator';
import { IsTime } from '../common/http/is-time.decorator.js';
import { NoControlCharacters } from '../common/http/limit.decorators.js';
import { LowerCase } from '../common/http/lower-case.decorator.js';
import { PageQuery } from '../common/paging/page.js';

const ACTOR = /^(?:system|agency|name:.+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

/** `?action=a&action=b` and `?action=a,b` mean the same. */
function toList({ value }: { value: unknown }): unknown {
  const parts = Array.isArray(value) ? (value as unknown[]) : [value];
  return parts.flatMap((part) => (typeof part === 'string' ? part.split(',').filter(Boolean) : [part]));
}

export class AuditFilterQuery extends PageQuery {
  /**
   * Who acted: the id of a user or API key, `name:` and part of a name or email address, `system` for the service itself, or, in the portal,
   * `agency` for everyone who is not a user of it.
   * @example "name:anna"
   */
  @IsOptional()
  @MaxLength(200)
  @NoControlCharacters()
  @Matches(ACTOR, { message: 'actor must be an id, “system”, “agency” or “name:” and a text' })
  actor?: string;

  /**
   * What was done: an action, or the beginning of several, with a dot at the end. Separated by commas, or repeated.
   * @example ["asset.create", "trash."]
   */
  @IsOptional()
  @Transform(toList)
  @IsArray()
  @ArrayMaxSize(50)
  @Matches(/^[a-z_]{1,50}\.[a-z_]{0,50}$/, {
    each: true,
    message: 'each action must be like “asset.update”, or like “asset.” for all that begin so',
  })
  action?: string[];

  /**
   * What it was done to: a kind, or a kind and an id.
   * @example "folder/0199a7c2-5c1e-7bb2-9d6a-0f3a8f0c1e2d"
   */
  @IsOptional()
  @MaxLength(300)
  @NoControlCharacters()
  @Matches(/^[a-z_]{1,50}(?:\/.+)?$/, {
    message: 'subject must be a kind, such as “folder”, or a kind and an id',
  })
  subject?: string;

  @ApiPropertyOptional({ type: String, format: 'date-time', description: 'The earliest time.' })
  @IsOptional()
  @IsTime()
  from?: Date;

  @ApiPropertyOptional({ type: String, format: 'date-time', description: 'Only earlier than this time.' })
  @IsOptional()
  @IsTime()
  to?: Date;
}

export class AuditQuery extends AuditFilterQuery {
  /** Only what happened to this asset, including its deliveries and where it is used. */
  @IsOptional()
  @LowerCase()
  @IsUUID()
  assetId?: string;
}
