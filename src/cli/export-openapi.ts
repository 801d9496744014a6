import { readFile, writeFile } from 'node:fs/promises';
import { createApp } from '../app.setup.js';
import { describeApi } from '../openapi/openapi.js';
import { readConfig } from '../config/config.js';

const FILE = 'openapi.json';

/** Writes the OpenAPI document. `--check` fails if the committed one is outdated. */
export async function exportOpenApi(args: string[]): Promise<void> {
  const config = readConfig({
    DATABASE_URL: 'postgres://none/none',
    AUTH_JWT_SECRET: 'x'.repeat(32),
    SECRETS_KEY: 'x'.repeat(32),
  });
  const app = await createApp(config, { preview: true });
  const document = `${JSON.stringify(describeApi(app, config), null, 2)}\n`;
  if (!args.includes('--check')) {
    await writeFile(FILE, document);
  } else if ((await readFile(FILE, 'utf8').catch(() => '')) !== document) {
    throw new Error(`${FILE} is not up to date: run "npm run openapi" and commit it.`);
  }
}
