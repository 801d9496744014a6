import { createHash } from 'node:crypto';
import { env, type Overrides } from './environment.js';
import { serviceHost } from './service-host.js';
import { freePort, newSettings, runningAt, type RunningService } from './service.js';

/**
 * A service that test files with the same settings use one after the other, for tests that only look at their own
 * clients and leave no lasting changes. Files that run at the same time, on another worker of Jest, use another one.
 */
export async function sharedService(overrides: Overrides = {}): Promise<RunningService> {
  const used = [env('JEST_WORKER_ID'), overrides];
  const name = createHash('sha256').update(JSON.stringify(used)).digest('hex');
  const settings =
    (await serviceHost.find(name)) ?? (await serviceHost.start(await settingsWith(overrides), name));
  return runningAt(Number(settings['PORT']), settings);
}

async function settingsWith(overrides: Overrides): Promise<Overrides> {
  return { ...(await newSettings()), ...overrides, PORT: String(await freePort()) };
}
