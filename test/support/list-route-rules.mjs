/** Prints every route of the built application with its rule, as JSON. Runs in a separate process because Jest cannot load the build. */
import 'reflect-metadata';
import { DiscoveryService, MetadataScanner, ModulesContainer } from '@nestjs/core';
import { createApp } from '../../dist/src/app.setup.js';
import { RouteRules } from '../../dist/src/auth/route-rules.js';
import { readConfig } from '../../dist/src/config/config.js';

const secret = 'x'.repeat(32);
const config = readConfig({
  DATABASE_URL: 'postgres://none/none',
  AUTH_JWT_SECRET: secret,
  SECRETS_KEY: secret,
});
const app = await createApp(config, { preview: true });
const rules = new RouteRules(new DiscoveryService(app.get(ModulesContainer)), new MetadataScanner());
process.stdout.write(JSON.stringify(rules.list()));
