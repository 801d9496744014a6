import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { Problem } from '../errors/problem.js';
import { WholeNumber } from '../http/whole-number.decorator.js';
import { isUuid } from '../ids.js';
import { parseIsoTime } from '../iso-time.js';

const MAX_PAGE_SIZE = 200;

/**
 * The longest cursor contains a title of 500 characters (the maximum of LIMIT_TITLE_LENGTH) with four bytes each. Together with the sort
 * order, an id and JSON punctuation, that is 2,051 bytes, or 2,735 characters of Base64.
 */
const MAX_CURSOR_LENGTH = 3_000;

export class PageQuery {
  @ApiPropertyOptional({ description: 'The `nextCursor` of the previous page.' })
  @IsOptional()
  @IsString()
  @MaxLength(MAX_CURSOR_LENGTH)
  cursor?: string;

  @ApiPropertyOptional({ minimum: 1, maximum: MAX_PAGE_SIZE, default: 50, example: 50 })
  @IsOptional()
  @WholeNumber()
  @IsInt()
  @Min(1)
  @Max(MAX_PAGE_SIZE)
  limit: number = 50;
}

export interface Page<T> {
  items: T[];
  nextCursor: string | null;
}

/** Turns `limit + 1` rows into a page. The cursor contains the last row of the page (keyset pagination). */
export function toPage<T>(rows: T[], limit: number, positionOf: (row: T) => unknown): Page<T> {
  if (rows.length <= limit) return { items: rows, nextCursor: null };
  const items = rows.slice(0, limit);
  return { items, nextCursor: encodeCursor(positionOf(items[limit - 1]!)) };
}

export function encodeCursor(position: unknown): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/** A cursor is untrusted input, so `isPosition` must validate every part of it. */
export function decodeCursor<T>(
  cursor: string | undefined,
  isPosition: (value: unknown) => value is T,
): T | null {
  if (cursor === undefined) return null;
  try {
    const position: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (isPosition(position)) return position;
  } catch {
    // Falls through to the same error.
  }
  throw Problem.validation('cursor', 'is not a cursor of this list');
}

export function isText(value: unknown): value is string {
  return typeof value === 'string' && value.isWellFormed() && !value.includes('\0');
}

/** Most lists are ordered by their UUIDv7 ids. */
export function isUuidText(value: unknown): value is string {
  return isText(value) && isUuid(value);
}

/** A time exactly as JSON represents it, in years that both Postgres and we support. */
export function isTimeText(value: unknown): value is string {
  return isText(value) && parseIsoTime(value)?.toISOString() === value;
}
