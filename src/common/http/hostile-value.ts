import { Problem } from '../errors/problem.js';

const MAX_DEPTH = 64;
const MAX_FIELDS = 100;
const MAX_FIELD_NAME_LENGTH = 100;
/** The parts of a multipart upload are the longest list, with two fields each. */
const MAX_ELEMENTS = 10_000;
const MAX_VALUES = 50_000;

/**
 * Names that every object inherits. class-transformer and class-validator skip some of them or treat them as known fields, and copying
 * `__proto__` would change prototypes.
 */
const REFUSED_NAMES = new Set(['prototype', ...Object.getOwnPropertyNames(Object.prototype)]);

interface OpenValue {
  readonly value: unknown;
  readonly path: string;
  readonly depth: number;
}

/**
 * Limits the content of a request before anything else processes it, because validators recurse and class-transformer takes quadratic time.
 * Also rejects text that Postgres cannot store: NUL characters and lone surrogates.
 */
export function rejectHostileValue(root: unknown): void {
  let values = 0;
  const open: OpenValue[] = [{ value: root, path: '', depth: 0 }];
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    const { value, path, depth } = item;
    if (typeof value === 'string') {
      rejectHostileText(value, path);
    } else if (typeof value === 'object' && value !== null) {
      if (depth >= MAX_DEPTH)
        throw Problem.validation(path.split('.')[0] || 'body', `is nested deeper than ${MAX_DEPTH}`);
      const names = Object.keys(value);
      rejectTooMany(names, Array.isArray(value), path || 'body');
      values += names.length;
      if (values > MAX_VALUES) throw Problem.validation('body', `contains more than ${MAX_VALUES} values`);
      for (const name of names) {
        rejectHostileName(name, path || 'body');
        open.push({
          value: (value as Record<string, unknown>)[name],
          path: path ? `${path}.${name}` : name,
          depth: depth + 1,
        });
      }
    }
  }
}

function rejectTooMany(names: readonly string[], isList: boolean, path: string): void {
  if (isList && names.length > MAX_ELEMENTS)
    throw Problem.validation(path, `must contain no more than ${MAX_ELEMENTS} elements`);
  if (!isList && names.length > MAX_FIELDS)
    throw Problem.validation(path, `must have no more than ${MAX_FIELDS} fields`);
}

function rejectHostileName(name: string, parent: string): void {
  if (name.length > MAX_FIELD_NAME_LENGTH)
    throw Problem.validation(
      parent,
      `has a field whose name is longer than ${MAX_FIELD_NAME_LENGTH} characters`,
    );
  if (REFUSED_NAMES.has(name)) throw Problem.validation(name, `property ${name} should not exist`);
  rejectHostileText(name, 'body');
}

function rejectHostileText(text: string, path: string): void {
  if (text.includes('\0')) throw Problem.validation(path, 'must not contain NUL characters');
  if (!text.isWellFormed()) throw Problem.validation(path, 'must be well-formed Unicode');
}
