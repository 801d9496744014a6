/** `npm test`: every test, unit and end to end. Arguments go to jest; the last line is always `N passed, N failed`. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { prepare } from './support/prepare.mjs';
import { passSignalsOn, root, say } from './support/steps.mjs';
import { testEnvironment } from './support/test-environment.mjs';

let closingLine = '0 passed, 1 failed';
process.exitCode = await run().catch((error) => {
  process.stderr.write(`\n${error.message}\n`);
  return 1;
});
say(closingLine);

async function run() {
  await prepare();
  const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
  const args = [jest, '--maxWorkers=2', ...process.argv.slice(2)];
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: testEnvironment(),
    stdio: ['inherit', 'pipe', 'inherit'],
  });
  passSignalsOn(child);
  createInterface({ input: child.stdout }).on('line', (line) => {
    // Jest writes its own summary after the reporters; ours is held back to come last.
    if (/^\d+ passed, \d+ failed/.test(line)) closingLine = line;
    else say(line);
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}
