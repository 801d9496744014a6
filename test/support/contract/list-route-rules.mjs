import { DiscoveryService, MetadataScanner, ModulesContainer } from '@nestjs/core';
import { RouteRules } from '../../../dist/src/auth/route-rules.js';
import { previewApp } from './preview-app.mjs';

/** Every route of the built application with its rule. Runs outside of Jest, which cannot load the build: see route-rules.ts. */
export default async function listRouteRules() {
  const app = await previewApp();
  return new RouteRules(new DiscoveryService(app.get(ModulesContainer)), new MetadataScanner()).list();
}
