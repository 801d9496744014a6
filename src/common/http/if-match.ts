import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { Problem } from '../errors/problem.js';

/** The version expected by the caller, from `If-Match: "<version>"`. Null if the header is absent or `*`. */
export const IfMatch = createParamDecorator((_data: unknown, context: ExecutionContext): number | null => {
  return versionOf(context.switchToHttp().getRequest<Request>().headers['if-match']);
});

function versionOf(header: string | undefined): number | null {
  if (header === undefined || header === '*') return null;
  const version = /^"(\d{1,9})"$/.exec(header)?.[1];
  // An entity tag that we never issued cannot be the current one.
  if (version === undefined)
    throw new Problem('version_mismatch', 'If-Match must be a version in quotes, such as "3".');
  return Number(version);
}
