import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { prepare } from './prepare.mjs';
import { passSignalsOn, root, say } from './steps.mjs';

/** Builds what is missing and runs jest with these flags of Node. The last line is always `N passed, N failed`. */
export async function runJest(args, env, nodeFlags = []) {
  let closingLine = '0 passed, 1 failed';
  process.exitCode = await run().catch((error) => {
    process.stderr.write(`\n${error.message}\n`);
    return 1;
  });
  say(closingLine);

  async function run() {
    await prepare();
    const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
    const child = spawn(process.execPath, [...nodeFlags, jest, ...args], {
      cwd: root,
      env,
      stdio: ['inherit', 'pipe', 'inherit'],
    });
    passSignalsOn(child);
    createInterface({ input: child.stdout }).on('line', (line) => {
      // Jest writes its own summary after the reporters, so ours is held back to come last.
      if (/^\d+ passed, \d+ failed/.test(line)) closingLine = line;
      else say(line);
    });
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => resolve(code ?? 1));
    });
  }
}
