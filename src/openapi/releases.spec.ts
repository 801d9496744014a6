import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const RELEASES = join(ROOT, 'releases');

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const documentOf = (version: string) =>
  JSON.parse(read(`releases/${version}/openapi.json`)) as { info: Record<string, string>; paths: object };

/** `npm run check` validates them too. */
describe('Releases', () => {
  const { version: current } = JSON.parse(read('package.json')) as { version: string };
  const versions = existsSync(RELEASES) ? readdirSync(RELEASES) : [];

  it.each([...new Set([...versions, current])])('%s has a section in the changelog', (version) => {
    expect(read('CHANGELOG.md')).toContain(`\n## ${version}`);
  });

  it('keep their API, with the version and the commit', () => {
    for (const version of versions) {
      const { info, paths } = documentOf(version);
      expect(info['version']).toBe(version);
      expect(info['x-commit']).toMatch(/^[0-9a-f]{40}$/);
      expect(Object.keys(paths).length).toBeGreaterThan(10);
    }
  });
});
