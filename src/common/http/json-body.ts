import { json, type RequestHandler, type Request } from 'express';
import { Problem } from '../errors/problem.js';

const LIMIT_BYTES = 1024 * 1024;
const MAX_DEPTH = 64;

/** Parses JSON bodies and refuses what no route should ever see. */
export function jsonBody(): RequestHandler[] {
  return [
    json({ limit: LIMIT_BYTES, strict: true, type: ['application/json', 'application/*+json'] }),
    (request: Request, _response, next) => {
      refuseHostileValue(request.body);
      next();
    },
  ];
}

/**
 * Bounds the depth (validators recurse), refuses `__proto__` keys (copying them would change prototypes) and
 * text that Postgres cannot hold: NUL characters and lone surrogates.
 */
export function refuseHostileValue(root: unknown): void {
  const open: { value: unknown; path: string; depth: number }[] = [{ value: root, path: '', depth: 0 }];
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    const { value, path, depth } = item;
    if (typeof value === 'string') {
      refuseHostileText(value, path);
    } else if (typeof value === 'object' && value !== null) {
      if (depth >= MAX_DEPTH) throw Problem.validation(path.split('.')[0] || 'body', `is nested deeper than ${MAX_DEPTH}`);
      for (const key of Object.keys(value)) {
        const at = path ? `${path}.${key}` : key;
        if (key === '__proto__') throw Problem.validation('__proto__', 'property __proto__ should not exist');
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
