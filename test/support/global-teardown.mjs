/** Stops what global-setup.mjs and the tests have started. */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

export default async function tearDown() {
  const running = globalThis.assetLibraryTestServers;
  if (!running) return;
  endServiceHosts(join(running.directory, 'service-hosts'));
  await Promise.all(running.stop.map((stop) => stop()));
  rmSync(running.directory, { recursive: true, force: true });
}

function endServiceHosts(directory) {
  for (const name of readdirSync(directory).filter((each) => each.endsWith('.json'))) {
    const { pid } = JSON.parse(readFileSync(join(directory, name), 'utf8'));
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if (error.code !== 'ESRCH') throw error;
    }
  }
}
