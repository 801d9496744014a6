import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { OWNER, type RunningService } from '../services/service.js';

/** The page's own. */
declare const document: any;

/** Without a sandbox: it does not work for root, and only our own pages are opened. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export async function startBrowser(): Promise<Browser> {
  const executablePath = process.env['TEST_BROWSER'];
  if (executablePath === undefined)
    throw new Error(process.env['TEST_BROWSER_MISSING'] ?? 'Run the tests with "npm test".');
  return chromium.launch({ executablePath, headless: true, args: FLAGS });
}

declare global {
  /** Checks a response against openapi.json and returns a check for its JSON. From contract.environment.mjs. */
  var observeResponse: (head: {
    method: string;
    url: string;
    status: number;
    type: string | undefined;
  }) => ((text: string) => void) | null;
  /** If a test fails, its message contains what the pages of these profiles show. From contract.environment.mjs. */
  var showPagesOf: (profile: BrowserContext) => void;
  /** The test waits until this has settled. It must not reject. */
  var awaitObserved: (read: Promise<void>) => void;
}

/**
 * Checks the responses that pages receive from the service against openapi.json, like those that tests receive, and
 * shows the pages of a failed test.
 */
export function observeProfile(context: BrowserContext): void {
  showPagesOf(context);
  context.on('response', (response) => {
    const { 'x-request-id': requestId, 'content-type': type } = response.headers();
    if (requestId === undefined) return;
    const method = response.request().method();
    const check = observeResponse({ method, url: response.url(), status: response.status(), type });
    // When a page is closed, its responses are gone.
    if (check) awaitObserved(response.text().then(check, () => undefined));
  });
}

/** A page of the service's own origin, signed in like a browser, with the cookie from the sign-in. */
export async function signedInPage(browser: Browser, service: RunningService): Promise<Page> {
  const context = await browser.newContext();
  observeProfile(context);
  const page = await context.newPage();
  await signInByRequest(page, service, OWNER);
  await page.evaluate(() => document.body.replaceChildren());
  return page;
}

/** The address of a page of the service that is as good as empty. */
export function blankPage(origin: string): string {
  return `${origin}/healthz`;
}

/** Signs in from a blank page, which is left open. It takes less time than the form. */
export async function signInByRequest(
  page: Page,
  service: RunningService,
  { email, password }: { email: string; password: string },
): Promise<void> {
  // A page that another test has returned is already there.
  const blank = blankPage(service.url);
  if (page.url() !== blank) await page.goto(blank);
  const status = await page.evaluate(
    async (user) => {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch('/auth/login', { method: 'POST', headers, body: JSON.stringify(user) });
      await response.text();
      return response.status;
    },
    { email, password },
  );
  if (status !== 200) throw new Error(`Signing in returned ${status}`);
}
