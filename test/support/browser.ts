import { type Browser, chromium, type Page } from 'playwright-core';
import { OWNER, type RunningService } from './service.js';

/** The page's own. */
declare const document: any;

/** No sandbox: root has none, and the only pages shown are our own. */
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

/** A page of the service's own origin, signed in as a browser is: by the cookie that came with the sign-in. */
export async function signedInPage(browser: Browser, service: RunningService): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${service.url}/status`);
  const status = await page.evaluate(async (user) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch('/auth/login', { method: 'POST', headers, body: JSON.stringify(user) });
    document.body.replaceChildren();
    return answer.status;
  }, OWNER);
  if (status !== 200) throw new Error(`Signing in returned ${status}`);
  return page;
}
