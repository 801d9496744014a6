/** Starts a separate service for screenshots, with a client whose library has content. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { drawPicture, titleOf } from '../samples/pictures.mjs';
import { root } from './steps.mjs';
import { testEnvironment } from './test-environment.mjs';

export const OWNER = { email: 'owner@example.com', password: 'demo-demo-demo' };
const READY_WITHIN_MS = 120_000;

/** @returns the address, and a function that stops it */
export async function startSampleService(port, settings = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'screenshots-'));
  const env = {
    ...testEnvironment(),
    NODE_ENV: 'development',
    PORT: String(port),
    DATA_DIR: directory,
    ...settings,
  };
  const child = spawn(process.execPath, [join(root, 'dist', 'src', 'main.js')], { env, stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  const stop = async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
    rmSync(directory, { recursive: true, force: true });
  };
  for (const deadline = Date.now() + READY_WITHIN_MS; ; await delay(250)) {
    const isReady = await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return { url, stop };
    if (child.exitCode !== null || Date.now() > deadline) throw new Error('The service did not start.');
  }
}

/** Calls the API as the owner. */
export async function apiOf(url) {
  const call = async (path, body, token) => {
    const headers = {
      'content-type': 'application/json',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    };
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path} responded with ${response.status}: ${await response.text()}`);
    return response.json();
  };
  const { accessToken } = await call('/auth/login', OWNER);
  return (path, body) => call(path, body, accessToken);
}

/** A bakery's library: folders and two dozen pictures, some of them with descriptions. */
export async function fillLibrary(post, pictures) {
  const { clientId } = await post('/admin/clients', { name: 'Bakery Blum' });
  const base = `/admin/clients/${clientId}/assets`;
  for (const path of ['Campaigns/Autumn', 'Campaigns/Spring menu', 'Products', 'Team and premises'])
    await post(`${base}/folders`, { path });
  for (let number = 0; number < pictures; number++) {
    const bytes = await drawPicture(number);
    const session = await post(`${base}/upload-session`, {
      originalFilename: `${titleOf(number).toLowerCase()}.jpg`,
      mimeType: 'image/jpeg',
      expectedSizeBytes: bytes.length,
    });
    await fetch(session.uploadUrl, { method: 'PUT', body: bytes });
    await post(`${base}/upload-session/finalize`, {
      uploadToken: session.uploadToken,
      title: titleOf(number),
      altText: number % 3 === 0 ? '' : `${titleOf(number)}, drawn`,
      tags: number % 2 === 0 ? ['storefront', 'autumn'] : ['menu'],
      allowedSurfaces: [[], ['website'], ['social', 'gbp']][number % 3],
    });
  }
  return clientId;
}
