import { DeleteBucketCorsCommand, PutBucketCorsCommand } from '@aws-sdk/client-s3';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, CDPSession, Locator, Page } from 'playwright-core';
import { blankPage, observeProfile, signInByRequest } from './browser.js';
import type { Overrides } from '../services/environment.js';
import { eventually } from '../eventually.js';
import { type Service, startService, storeClient } from '../services/service.js';

/** The page's own. */
declare const localStorage: any;
declare const sessionStorage: any;

const BUILT = join(__dirname, '../../../web/dist');

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

const VIEWPORT = { width: 1280, height: 800 };

/** What tests have returned: a renderer that has already run the pages opens them again in half the CPU time. */
const returnedPages = new WeakMap<Browser, Page[]>();
const failuresOf = new WeakMap<Page, string[]>();
const networks = new WeakMap<Page, CDPSession>();

/** A page in a separate browser profile, which records exceptions, policy violations and missing texts. With options, it is a new one. */
export async function openPage(browser: Browser, options?: BrowserContextOptions): Promise<Page> {
  const returned = options ? undefined : returnedPages.get(browser)?.pop();
  const page = returned ?? (await newPage(browser, options));
  failuresOf.set(page, []);
  return page;
}

async function newPage(browser: Browser, options?: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({
    viewport: VIEWPORT,
    reducedMotion: 'reduce',
    locale: 'en-US',
    ...options,
  });
  observeProfile(context);
  const page = await context.newPage();
  page.on('pageerror', (error) => failuresOf.get(page)?.push(error.message));
  page.on('console', (message) => {
    if (/Content Security Policy|MISSING_MESSAGE/.test(message.text()))
      failuresOf.get(page)?.push(message.text());
  });
  return page;
}

/**
 * Makes the page like new for the next test. One that was opened with other options than the usual ones, or still has
 * listeners, must be closed instead.
 */
export async function returnPage(page: Page): Promise<void> {
  const context = page.context();
  await networks.get(page)?.detach();
  networks.delete(page);
  for (const other of context.pages()) if (other !== page) await other.close();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  // A page of the same origin, because another renderer would replace this one for a blank page.
  await page.goto(blankPage(new URL(page.url()).origin));
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  await context.clearCookies();
  await context.clearPermissions();
  await page.setViewportSize(VIEWPORT);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.mouse.move(0, 0);
  page.setDefaultTimeout(30_000);
  const browser = context.browser()!;
  returnedPages.set(browser, [...(returnedPages.get(browser) ?? []), page]);
}

/** The exceptions, policy violations and missing texts of the page so far. */
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

/** A page of the service, opened at a path by a user who is already signed in. */
export async function openAs(
  browser: Browser,
  service: Service,
  account: Account,
  path = '/',
  options?: BrowserContextOptions,
): Promise<Page> {
  const page = await openPage(browser, options);
  await signInByRequest(page, service, account);
  // The pages look for a session only if someone has signed in on them before.
  await page.evaluate(() => localStorage.setItem('session', '1'));
  await page.goto(service.url + path);
  return page;
}

/** A folder in the tree. */
export function inTree(page: Page, name: string): Locator {
  return page.getByRole('treegrid', { name: 'Folders' }).getByRole('row').filter({ hasText: name });
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

/** Slows down the page's uploads, or takes it off the network. Without settings, it is as before. */
export async function setNetwork(
  page: Page,
  { bytesPerSecond = -1, offline = false }: { bytesPerSecond?: number; offline?: boolean },
): Promise<void> {
  const devtools = networks.get(page) ?? (await page.context().newCDPSession(page));
  // Stays open, because the end of the session is the end of its limits.
  networks.set(page, devtools);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', {
    offline,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: bytesPerSecond,
  });
}
