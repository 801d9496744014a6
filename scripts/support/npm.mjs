/** Runs npm, and explains in plain words why it failed. */
import { join } from 'node:path';
import { involve } from './exclusively.mjs';
import { capture, Refusal, root } from './steps.mjs';

const QUIETLY = ['--no-audit', '--no-fund', '--loglevel=error'];

/** With the npm that started this process. `otherwise` says what failed if npm gives no known reason. */
export async function runNpm(args, otherwise) {
  const npm = process.env.npm_execpath;
  const options = [...args, ...QUIETLY];
  const { code, output } = await (
    npm?.endsWith('npm-cli.js')
      ? capture(process.execPath, [npm, ...options], { onStart: involve })
      : capture('npm', options, { onStart: involve })
  ).catch((error) => ({ code: 1, output: `npm could not be run: ${error.message}` }));
  if (code !== 0) throw new Refusal(`${explain(output) ?? otherwise}\n\nOutput of npm:\n${output}`);
}

function explain(output) {
  if (/\b(EACCES|EPERM|EROFS)\b/.test(output)) {
    return `This user cannot write to ${join(root, 'node_modules')}. Run as the owner of the clone, or make it writable.`;
  }
  if (/\bENOSPC\b/.test(output)) return 'The disk is full.';
  if (/\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ERR_SOCKET_TIMEOUT)\b/.test(output)) {
    return 'The npm registry cannot be reached. Check the network (and the proxy or registry npm is configured with), then try again.';
  }
  return null;
}
