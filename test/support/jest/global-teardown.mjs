/** Stops what global-setup.mjs has started. */
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';

export default async function tearDown() {
  const running = globalThis.assetLibraryTestServers;
  if (!running) return;
  await Promise.all(running.stop.map((stop) => stop()));
  removeInBackground(running.directory);
}

/** Its tens of thousands of files take ten seconds, most of them spent waiting for the disk, and nobody needs to wait for that. */
function removeInBackground(directory) {
  if (process.platform === 'win32') return rmSync(directory, { recursive: true, force: true });
  spawn('rm', ['-rf', directory], { detached: true, stdio: 'ignore' }).unref();
}
