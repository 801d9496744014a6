import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const WORKSPACES = ['', 'web', ...readdirSync(join(ROOT, 'packages')).map((name) => `packages/${name}`)];

type Versions = Record<string, string>;
interface Manifest {
  dependencies?: Versions;
  devDependencies?: Versions;
}

const read = (path: string): unknown => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
const manifests = WORKSPACES.filter((path) => existsSync(join(ROOT, path, 'package.json'))).map((path) => {
  const { dependencies, devDependencies } = read(join(path, 'package.json')) as Manifest;
  return { path, versions: Object.entries({ ...dependencies, ...devDependencies }) };
});

describe('The dependencies', () => {
  it.each(manifests)('of "$path" have exact versions', ({ versions }) => {
    expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
  });

  it('have the same version in every workspace', () => {
    const seen = new Map<string, Set<string>>();
    for (const [name, version] of manifests.flatMap(({ versions }) => versions))
      seen.set(name, (seen.get(name) ?? new Set()).add(version));
    expect([...seen].filter(([, versions]) => versions.size > 1)).toEqual([]);
  });

  it('on AWS packages have one version', () => {
    const versions = manifests
      .flatMap((one) => one.versions)
      .filter(([name]) => name.startsWith('@aws-sdk/'));
    expect(new Set(versions.map(([, version]) => version)).size).toBe(1);
  });

  it('leave the embedded servers out of a production install', () => {
    const { dependencies, devDependencies } = read('package.json') as Required<Manifest>;
    const embedded = (versions: Versions) =>
      Object.keys(versions).filter((name) => name.includes('embedded'));
    expect(embedded(dependencies)).toEqual([]);
    expect(embedded(devDependencies)).toEqual([
      '@asset-library/embedded-postgres',
      '@asset-library/embedded-s3',
    ]);
  });

  it('are locked without the address of a registry', () => {
    const { packages } = read('package-lock.json') as { packages: Record<string, { resolved?: string }> };
    const addresses = Object.values(packages).map(({ resolved }) => resolved ?? '');
    expect(addresses.filter((address) => address.includes('://'))).toEqual([]);
  });
});
