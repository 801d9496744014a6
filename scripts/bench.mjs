/** `npm run bench`: builds what is missing, then measures. Arguments go to bench/run.mjs. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { prepare } from './support/prepare.mjs';
import { endWith, passSignalsOn, root } from './support/steps.mjs';

await prepare().catch(endWith);

const args = [join(root, 'bench', 'run.mjs'), ...process.argv.slice(2)];
const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });
passSignalsOn(child);
child.once('close', (code) => (process.exitCode = code ?? 1));
