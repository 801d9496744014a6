import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions, Frame, Page } from 'playwright-core';
import type { Service } from './service.js';

/** The page's own. */
declare const axe: any;

export interface Account {
  readonly email: string;
  readonly password: string;
}

export type Theme = 'light' | 'dark';

/** A page in a browser profile of its own. Fails the test when the page breaks its own policy or throws. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: 'reduce', locale: 'en-US', ...options });
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

/** What the page has thrown or tried against its policy so far. */
export function failuresIn(page: Page): readonly string[] {
  return failuresOf.get(page) ?? [];
}

/** Fills in the sign-in page that is shown; resolves when another page takes its place. */
export async function signInOn(page: Page, { email, password }: Account): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((url) => url.pathname !== '/sign-in');
}

/** A page of the service, opened at a path by somebody who has just signed in. */
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

const axeSource = readFileSync(createRequire(__filename).resolve('axe-core/axe.min.js'), 'utf8');

/** Serious and critical violations of what the page shows, as `rule: element`. */
export async function violationsOn(page: Page | Frame): Promise<string[]> {
  await page.evaluate(`typeof axe === 'undefined' && (() => { ${axeSource} })()`);
  return page.evaluate(async () => {
    const { violations } = await axe.run({ resultTypes: ['violations'] });
    return violations
      .filter(({ impact }: any) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }: any) =>
        nodes.map(
          (node: any) => `${id}: ${node.html.slice(0, 160)} (${node.failureSummary?.split('\n')[1]?.trim()})`,
        ),
      );
  });
}
