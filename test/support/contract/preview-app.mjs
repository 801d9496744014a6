import 'reflect-metadata';
import { createApp } from '../../../dist/src/app.setup.js';
import { readConfig } from '../../../dist/src/config/config.js';

const secret = 'x'.repeat(32);

/** The built application with all its metadata, but without instances of its classes. */
export function previewApp() {
  const config = readConfig({
    DATABASE_URL: 'postgres://none/none',
    AUTH_JWT_SECRET: secret,
    SECRETS_KEY: secret,
  });
  return createApp(config, { preview: true });
}
