/** `npm run release:openapi`: keeps openapi.json of this version as releases/<version>/openapi.json, with the commit's id. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { capture, endWith, Refusal, root, say } from './support/steps.mjs';

const git = async (...args) => {
  const { code, output } = await capture('git', args);
  if (code !== 0) throw new Refusal(output);
  return output;
};
const readJson = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'));

async function release() {
  if (await git('status', '--porcelain')) throw new Refusal('Commit your changes first.');
  const { version } = readJson('package.json');
  const document = readJson('openapi.json');
  if (document.info.version !== version)
    throw new Refusal(`openapi.json describes version ${document.info.version}. Run \`npm run openapi\`.`);
  const file = join('releases', version, 'openapi.json');
  document.info['x-commit'] = await git('rev-parse', 'HEAD');
  mkdirSync(join(root, 'releases', version), { recursive: true });
  writeFileSync(join(root, file), `${JSON.stringify(document, null, 2)}\n`);
  say(`Wrote ${file}.`);
}

await release().catch(endWith);
