import { DeleteBucketCorsCommand, PutBucketCorsCommand } from '@aws-sdk/client-s3';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, CDPSession, Page } from 'playwright-core';
import { type Overrides, type Service, startService, storeClient } from './service.js';

const BUILT = join(__dirname, '../../web/dist');

/** The service with the built pages, and a bucket that takes uploads from them. */
export async function startPages(overrides: Overrides = {}): Promise<Service> {
  const service = await startService({ PAGES_DIR: BUILT, ...overrides });
  await allowUploadsFrom(service.bucket, service.url);
  return service;
}

export async function allowUploadsFrom(bucket: string, origin: string): Promise<void> {
  const rule = {
    AllowedOrigins: [origin],
    AllowedMethods: ['PUT'],
    AllowedHeaders: ['*'],
    ExposeHeaders: ['ETag'],
  };
  const client = storeClient();
  await client.send(new PutBucketCorsCommand({ Bucket: bucket, CORSConfiguration: { CORSRules: [rule] } }));
  client.destroy();
}

export async function forbidUploads(bucket: string): Promise<void> {
  const client = storeClient();
  await client.send(new DeleteBucketCorsCommand({ Bucket: bucket }));
  client.destroy();
}

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** A window of its own, signed in through the form, at the address that was asked for. */
export async function openPage(
  browser: Browser,
  service: Service,
  person: Credentials,
  path = '/',
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  await page.goto(service.url + path);
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Sign in' }).waitFor({ state: 'hidden' });
  return page;
}

/** Files and folders from disk, dropped where the pointer is. */
export async function dropFiles(page: Page, paths: string[], at = { x: 700, y: 600 }): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const data = { items: [], files: paths, dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await devtools.send('Input.dispatchDragEvent', { type, ...at, data });
  await devtools.detach();
}

/** Slows uploads down; a session that stays open, since closing it would lift the limit. */
export async function limitUploads(page: Page, bytesPerSecond: number): Promise<CDPSession> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  await setNetwork(devtools, { bytesPerSecond });
  return devtools;
}

export async function setNetwork(
  devtools: CDPSession,
  { bytesPerSecond = -1, offline = false }: { bytesPerSecond?: number; offline?: boolean },
): Promise<void> {
  await devtools.send('Network.emulateNetworkConditions', {
    offline,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: bytesPerSecond,
  });
}
