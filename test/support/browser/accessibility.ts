import { readFileSync } from 'node:fs';
import type { Frame, Page } from 'playwright-core';

/** The page's own. */
declare const axe: any;

/** For axe, a tooltip outside of all landmarks is lost content; but it belongs to its control, wherever it is rendered. */
const REGIONS = 'dialog, [role=dialog], [role=alertdialog], [role=tooltip], svg';
const CONFIGURE = `axe.configure({ checks: [{ id: 'region', options: { regionMatcher: '${REGIONS}' } }] });`;
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8') + CONFIGURE;

/**
 * The moderate, serious and critical violations on the page, as `rule: element`. Announcements for screen readers may
 * remain for seconds after the element they refer to is gone.
 */
export async function violationsOn(page: Page | Frame, rules?: string[]): Promise<string[]> {
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(AXE);
  return page.evaluate(async (runOnly) => {
    const { violations } = await axe.run(
      { exclude: '[data-live-announcer]' },
      { resultTypes: ['violations'], ...(runOnly ? { runOnly } : {}) },
    );
    return violations
      .filter(({ impact }: any) => impact !== 'minor')
      .flatMap(({ id, nodes }: any) =>
        nodes.map(
          (node: any) => `${id}: ${node.html.slice(0, 160)} (${node.failureSummary?.split('\n')[1]?.trim()})`,
        ),
      );
  }, rules);
}

/** Checks the page, or a frame of it, in light and dark. Only contrast can differ between the two. */
export async function violationsInBothThemes(page: Page, frame: Page | Frame = page): Promise<string[]> {
  const light = await violationsOn(frame);
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  const dark = await violationsOn(frame, ['color-contrast']);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  return [...light, ...dark.map((violation) => `in dark: ${violation}`)];
}

export async function expectAccessible(page: Page, frame?: Frame): Promise<void> {
  expect(await violationsInBothThemes(page, frame)).toEqual([]);
}
