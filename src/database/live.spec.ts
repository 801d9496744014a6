import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SOURCES = join(__dirname, '..');

/** Migrations and entities declare indexes and checks, which must contain the literal condition. */
const SCHEMA = /^database[\\/](migrations|entities)[\\/]/;

describe('What is live', () => {
  it('is defined in one place', () => {
    const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.ts') && !name.endsWith('.spec.ts') && !SCHEMA.test(name),
    );
    const defining = files.filter((name) =>
      /\bbatch_id IS NULL\b/i.test(readFileSync(join(SOURCES, name), 'utf8')),
    );
    expect(defining).toEqual([join('database', 'live.ts')]);
  });
});
