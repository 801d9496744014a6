/** Fails if web/src/api/schema.d.ts does not match openapi.json. `npm run openapi` writes both. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { capture, root } from './steps.mjs';

const packageFile = createRequire(join(root, 'web', 'package.json')).resolve(
  'openapi-typescript/package.json',
);
const folder = mkdtempSync(join(tmpdir(), 'api-types-'));
try {
  const generated = join(folder, 'schema.d.ts');
  const { code, output } = await capture(process.execPath, [
    join(dirname(packageFile), 'bin', 'cli.js'),
    join(root, 'openapi.json'),
    '-o',
    generated,
  ]);
  if (code !== 0) throw new Error(output);
  const current = readFileSync(join(root, 'web', 'src', 'api', 'schema.d.ts'), 'utf8');
  if (readFileSync(generated, 'utf8') !== current) {
    process.stderr.write('web/src/api/schema.d.ts does not match openapi.json. Run `npm run openapi`.\n');
    process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
