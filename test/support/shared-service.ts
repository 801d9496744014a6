import { createHash } from 'node:crypto';
import type { Overrides } from './environment.js';
import { serviceHost } from './service-host.js';
import { freePort, newSettings, runningAt, type RunningService } from './service.js';

/**
 * A service that test files with the same settings use one after the other, for tests that only look at their own
 * clients and leave no lasting changes.
 */
export async function sharedService(overrides: Overrides = {}): Promise<RunningService> {
  const name = createHash('sha256').update(JSON.stringify(overrides)).digest('hex');
  const host = await serviceHost();
  const settings = (await host.find(name)) ?? (await host.start(await settingsWith(overrides), name));
  return runningAt(Number(settings['PORT']), settings);
}

async function settingsWith(overrides: Overrides): Promise<Overrides> {
  return { ...(await newSettings()), ...overrides, PORT: String(await freePort()) };
}
