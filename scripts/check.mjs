/**
 * `npm run check`: all static checks and the unit tests. Runs all of them, then lists what failed. `--without-unit-tests` is for callers
 * that run `npm test` next.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { prepare } from './support/prepare.mjs';
import { capture, endWith, root, say, step } from './support/steps.mjs';
import { testEnvironment } from './support/test-environment.mjs';

const UNIT_TESTS = 'unit tests';
const CHECKS = [
  ['formatting', 'node_modules/prettier/bin/prettier.cjs', '--check', '.', '--log-level=warn'],
  ['lint of the pages', 'node_modules/eslint/bin/eslint.js', 'web'],
  ['lint of the rest', 'node_modules/eslint/bin/eslint.js', '.', '--ignore-pattern', 'web'],
  ['types of the service', 'node_modules/typescript/bin/tsc', '--noEmit', '-p', 'tsconfig.json'],
  ['types of the tests', 'node_modules/typescript/bin/tsc', '--noEmit', '-p', 'test/tsconfig.json'],
  ['types of the pages', 'node_modules/typescript/bin/tsc', '--noEmit', '-p', 'web/tsconfig.json'],
  [
    UNIT_TESTS,
    'node_modules/jest/bin/jest.js',
    '--selectProjects',
    'unit',
    '--passWithNoTests',
    '--maxWorkers=2',
  ],
  ['licences', 'scripts/notices.mjs', '--check'],
  ['openapi.json is up to date', 'dist/src/cli/main.js', 'export-openapi', '--check'],
  ["the pages' API types are up to date", 'scripts/support/check-api-types.mjs'],
  [
    'openapi.json is valid, and so are those of releases',
    'node_modules/@redocly/cli/bin/cli.js',
    'lint',
    'openapi.json',
    ...releasedDocuments(),
  ],
].filter(([name]) => name !== UNIT_TESTS || !process.argv.includes('--without-unit-tests'));

await prepare().catch(endWith);

const env = { ...testEnvironment(), REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
/** Two at a time, because most of them use one core. Each starts when the one before the previous one has ended. */
const results = [];
for (const [index, [, ...args]] of CHECKS.entries())
  results.push(Promise.resolve(results[index - 2]).then(() => capture(process.execPath, args, { env })));

const failed = [];
for (const [index, [name]] of CHECKS.entries()) {
  await step(`[${index + 1}/${CHECKS.length}] ${name}`, async () => {
    const { code, output } = await results[index];
    if (code !== 0) throw new Error(output);
  }).catch((error) => failed.push([name, error.message]));
}

for (const [name, output] of failed) say(`\n--- ${name} ---\n${output}`);
say(failed.length === 0 ? '\nAll checks passed.' : `\nFailed: ${failed.map(([name]) => name).join(', ')}.`);
process.exitCode = failed.length === 0 ? 0 : 1;

function releasedDocuments() {
  const folder = join(root, 'releases');
  return existsSync(folder) ? readdirSync(folder).map((version) => `releases/${version}/openapi.json`) : [];
}
