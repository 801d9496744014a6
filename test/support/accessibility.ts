import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const REFUSED = ['serious', 'critical'];

export interface Violation {
  readonly rule: string;
  readonly help: string;
  readonly elements: string[];
}

/** What axe finds serious or critical on the page as it stands. Announcements may outlive what they are about, for seconds. */
export async function violationsOn(page: Page): Promise<Violation[]> {
  const devtools = await page.context().newCDPSession(page);
  // The page's own policy allows no script from elsewhere.
  const { frameTree } = await devtools.send('Page.getFrameTree');
  const { executionContextId } = await devtools.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
    worldName: 'axe',
  });
  await devtools.send('Runtime.evaluate', { expression: AXE, contextId: executionContextId });
  const { result, exceptionDetails } = await devtools.send('Runtime.evaluate', {
    expression: `axe.run({ exclude: '[data-live-announcer]' }, { resultTypes: ['violations'] }).then(({ violations }) => JSON.stringify(violations))`,
    contextId: executionContextId,
    awaitPromise: true,
  });
  await devtools.detach();
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  const violations = JSON.parse(result.value as string) as {
    id: string;
    impact: string;
    help: string;
    nodes: { html: string }[];
  }[];
  return violations
    .filter(({ impact }) => REFUSED.includes(impact))
    .map(({ id, help, nodes }) => ({
      rule: id,
      help,
      elements: nodes.map(({ html }) => html.slice(0, 200)),
    }));
}

/** The same page light and dark. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    expect({ colorScheme, violations: await violationsOn(page) }).toEqual({ colorScheme, violations: [] });
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
}
