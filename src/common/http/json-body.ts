import { json, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { Problem } from '../errors/problem.js';

const LIMIT_BYTES = 1024 * 1024;
const MAX_DEPTH = 64;

/** Copying the first would change prototypes; class-transformer drops both silently, where unknown fields must be refused. */
const REFUSED_KEYS = ['__proto__', 'constructor'];

/** Parses JSON bodies and refuses what no route should ever see. */
export function jsonBody(): RequestHandler[] {
  const parse = json({ limit: LIMIT_BYTES, strict: true, type: ['application/json', 'application/*+json'] });
  return [
    (request: Request, response: Response, next: NextFunction) =>
      parse(request, response, (error?: unknown) => {
        // Nest would turn every SyntaxError into a plain 400 before our filter sees it.
        next(
          error instanceof SyntaxError ? new Problem('malformed_json', undefined, { cause: error }) : error,
        );
      }),
    (request: Request, _response: Response, next: NextFunction) => {
      refuseHostileValue(request.body);
      next();
    },
  ];
}

/** Bounds the depth (validators recurse) and refuses text that Postgres cannot hold: NUL characters and lone surrogates. */
export function refuseHostileValue(root: unknown): void {
  const open: { value: unknown; path: string; depth: number }[] = [{ value: root, path: '', depth: 0 }];
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    const { value, path, depth } = item;
    if (typeof value === 'string') {
      refuseHostileText(value, path);
    } else if (typeof value === 'object' && value !== null) {
      if (depth >= MAX_DEPTH)
        throw Problem.validation(path.split('.')[0] || 'body', `is nested deeper than ${MAX_DEPTH}`);
      for (const key of Object.keys(value)) {
        const at = path ? `${path}.${key}` : key;
        if (REFUSED_KEYS.includes(key)) throw Problem.validation(key, `property ${key} should not exist`);
        refuseHostileText(key, 'body');
        open.push({ value: (value as Record<string, unknown>)[key], path: at, depth: depth + 1 });
      }
    }
  }
}

export function refuseHostileText(text: string, path: string): void {
  if (text.includes('\0')) throw Problem.validation(path, 'must not contain NUL characters');
  if (!text.isWellFormed()) throw Problem.validation(path, 'must be well-formed Unicode');
}
