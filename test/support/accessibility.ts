import { readFileSync } from 'node:fs';
import type { Frame, Page } from 'playwright-core';

/** The page's own. */
declare const axe: any;

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/**
 * The serious and critical violations on the page, as `rule: element`. Announcements for screen readers may remain for
 * seconds after the element they refer to is gone.
 */
export async function violationsOn(page: Page | Frame, rules?: string[]): Promise<string[]> {
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(AXE);
  return page.evaluate(async (runOnly) => {
    const { violations } = await axe.run(
      { exclude: '[data-live-announcer]' },
      { resultTypes: ['violations'], ...(runOnly ? { runOnly } : {}) },
    );
    return violations
      .filter(({ impact }: any) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }: any) =>
        nodes.map(
          (node: any) => `${id}: ${node.html.slice(0, 160)} (${node.failureSummary?.split('\n')[1]?.trim()})`,
        ),
      );
  }, rules);
}

/** Checks the page in light and dark. Only contrast can differ between the two. */
export async function violationsInBothThemes(page: Page): Promise<string[]> {
  const light = await violationsOn(page);
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  const dark = await violationsOn(page, ['color-contrast']);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  return [...light, ...dark.map((violation) => `in dark: ${violation}`)];
}

export async function expectAccessible(page: Page): Promise<void> {
  expect(await violationsInBothThemes(page)).toEqual([]);
}
