/** Stops what global-setup.mjs has started. */
import { rmSync } from 'node:fs';

export default async function tearDown() {
  const running = globalThis.assetLibraryTestServers;
  if (!running) return;
  await Promise.all(running.stop.map((stop) => stop()));
  rmSync(running.directory, { recursive: true, force: true });
}
