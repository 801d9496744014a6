import { Problem } from '../errors/problem.js';
import { rejectHostileValue } from './hostile-value.js';

const nested = (depth: number): unknown => {
  let value: unknown = 'leaf';
  for (let level = 0; level < depth; level++) value = level % 2 ? [value] : { a: value };
  return value;
};

function refusalOf(value: unknown) {
  try {
    rejectHostileValue(value);
  } catch (error) {
    if (error instanceof Problem) return { code: error.code, path: error.options.errors?.[0]?.path };
    throw error;
  }
  return null;
}

describe('rejectHostileValue', () => {
  it.each([undefined, null, 0, true, '', 'text', [], {}, { a: [1, { b: 'ü😀' }] }])(
    'lets %j pass',
    (value) => {
      expect(refusalOf(value)).toBeNull();
    },
  );

  it('accepts 64 levels and rejects the 65th', () => {
    expect(refusalOf(nested(64))).toBeNull();
    expect(refusalOf(nested(65))).toEqual({ code: 'validation_failed', path: 'a' });
  });

  it('does not use recursion', () => {
    expect(refusalOf(JSON.parse('['.repeat(200_000) + ']'.repeat(200_000)))).toMatchObject({
      code: 'validation_failed',
    });
  });

  it('limits fields, their names, elements, and the total number of values', () => {
    const fields = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]));
    const list = (length: number, item: unknown) => Array.from({ length }, () => item);
    const parts = list(10_000, { partNumber: 1, etag: 'x' });
    for (const allowed of [
      fields(100),
      list(10_000, 1),
      { parts, tags: list(50, 'a') },
      { ['k'.repeat(100)]: 1 },
    ])
      expect(refusalOf(allowed)).toBeNull();

    const refused = (path: string) => ({ code: 'validation_failed', path });
    expect(refusalOf(fields(101))).toEqual(refused('body'));
    expect(refusalOf({ a: [fields(101)] })).toEqual(refused('a.0'));
    expect(refusalOf({ a: list(10_001, 1) })).toEqual(refused('a'));
    expect(refusalOf({ ['k'.repeat(101)]: 1 })).toEqual(refused('body'));
    expect(refusalOf(list(501, fields(100)))).toEqual(refused('body'));
  });

  it.each(['toString', 'hasOwnProperty', 'valueOf', 'prototype', '__defineGetter__'])(
    'rejects a field named %s',
    (name) => expect(refusalOf({ [name]: 1 })).toEqual({ code: 'validation_failed', path: name }),
  );

  it.each(['{"__proto__": 1}', '{"a": {"__proto__": {}}}', '{"a": [{"constructor": {}}]}'])(
    'rejects the keys of %s',
    (json) => {
      expect(refusalOf(JSON.parse(json))).toMatchObject({
        code: 'validation_failed',
        path: expect.stringMatching(/^(__proto__|constructor)$/),
      });
      expect(({} as Record<string, unknown>)['a']).toBeUndefined();
    },
  );

  it.each(['\0', 'a\0b', '\ud800', '\udc00\ud800'])('rejects text that Postgres cannot store: %j', (text) => {
    expect(refusalOf({ name: text })).toEqual({ code: 'validation_failed', path: 'name' });
    expect(refusalOf({ list: [{ deep: text }] })).toEqual({ code: 'validation_failed', path: 'list.0.deep' });
    expect(refusalOf({ [text]: 1 })).toEqual({ code: 'validation_failed', path: 'body' });
  });
});
