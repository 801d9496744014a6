import { applyDecorators } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';

const header = (description: string, example: string) => ({
  description,
  schema: { type: 'string' as const },
  example,
});
const ETAG = header(
  'Entity tag of the bytes, for `If-None-Match` and `If-Range`',
  '"9f86d081884c7d659a2feaa0"',
);
const CACHE_CONTROL = header('Whether a cached copy must be revalidated before use', 'private, no-cache');

/** Documents a file response: complete, a range, or not modified. */
export function SendsFile(description: string, types: readonly string[] = ['*/*']): MethodDecorator {
  const content = Object.fromEntries(
    types.map((type) => [type, { schema: { type: 'string' as const, format: 'binary' } }]),
  );
  const headers = { ETag: ETAG, 'Cache-Control': CACHE_CONTROL };
  return applyDecorators(
    ApiResponse({ status: 200, description, headers, content }),
    ApiResponse({
      status: 206,
      description: 'The requested range',
      headers: {
        ...headers,
        'Content-Range': header('The range that is sent, and the total size', 'bytes 0-1023/204800'),
      },
      content,
    }),
    ApiResponse({
      status: 304,
      description: 'Not modified: `If-None-Match` contains the current ETag',
      headers,
    }),
  );
}
