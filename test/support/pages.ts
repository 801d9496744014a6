import { DeleteBucketCorsCommand, PutBucketCorsCommand } from '@aws-sdk/client-s3';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, CDPSession, Page } from 'playwright-core';
import { observeResponses } from './browser.js';
import type { Overrides } from './environment.js';
import { eventually } from './eventually.js';
import { type Service, startService, storeClient } from './service.js';

const BUILT = join(__dirname, '../../web/dist');

/** The service with the built pages, and a bucket that accepts uploads from them. */
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

export interface Account {
  readonly email: string;
  readonly password: string;
}

/** A page in a separate browser profile, which records exceptions and policy violations. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
    locale: 'en-US',
    ...options,
  });
  observeResponses(context);
  const page = await context.newPage();
  const failures: string[] = [];
  page.on('pageerror', (error) => failures.push(error.message));
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) failures.push(message.text());
  });
  failuresOf.set(page, failures);
  return page;
}

const failuresOf = new WeakMap<Page, string[]>();

/** The exceptions and policy violations of the page so far. */
export function failuresIn(page: Page): readonly string[] {
  return failuresOf.get(page) ?? [];
}

/** Fills in the sign-in form; resolves when the next page is shown. */
export async function signInOn(page: Page, { email, password }: Account): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((url) => url.pathname !== '/sign-in');
}

/** A page of the service, opened at a path by a user who has just signed in. */
export async function openAs(
  browser: Browser,
  service: Service,
  account: Account,
  path = '/',
  options: BrowserContextOptions = {},
): Promise<Page> {
  const page = await openPage(browser, options);
  await page.goto(service.url + path);
  await signInOn(page, account);
  return page;
}

/**
 * Drags files and folders from disk over the page, and drops them once it shows that it accepts them, on an element that the pointer has
 * just reached.
 */
export async function dropFiles(page: Page, paths: string[]): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const data = { items: [], files: paths, dragOperationsMask: 1 };
  const drag = (type: 'dragEnter' | 'dragOver' | 'drop', y: number) =>
    devtools.send('Input.dispatchDragEvent', { type, x: 700, y, data });
  await drag('dragEnter', 100);
  await eventually(async () => {
    await drag('dragOver', 100);
    expect(await page.getByText(/^Drop to upload into/).isVisible()).toBe(true);
  });
  await drag('drop', 600);
  await devtools.detach();
}

/** Slows down uploads. The session stays open, because closing it would remove the limit. */
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
