import type { Frame, Page } from 'playwright-core';
import { eventually } from '../eventually.js';

/** The page's own. */
declare const document: any;
declare const getComputedStyle: any;
declare const innerWidth: number;
declare const innerHeight: number;

export const WIDTHS = [320, 360, 390, 600, 768, 1024, 1280, 1440, 1920, 2560];

/** Below this, the folders are in a drawer and the details in a sheet. */
export const NARROW = 900;

/** Resizes an open page to each width, which takes far less time than loading it again. */
export async function atEachWidth(page: Page, check: (width: number) => Promise<void>): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: width < NARROW ? 844 : 900 });
    await check(width);
  }
}

/** Collects what is wrong instead of failing at once, so that one run names everything. */
export async function misplacedOn(page: Page | Frame, what: string): Promise<string[]> {
  let found: string[] = [];
  // What depends on a measured width is laid out in further frames.
  await eventually(async () => {
    found = await measure(page);
    expect(found).toEqual([]);
  }, 2_000).catch(() => undefined);
  return found.map((each) => `${what}: ${each}`);
}

/** Controls and texts that overlap, are cut off, or lie outside the window or their own bar. */
function measure(page: Page | Frame): Promise<string[]> {
  return page.evaluate(() => {
    interface Box {
      left: number;
      top: number;
      right: number;
      bottom: number;
    }
    interface Thing {
      element: any;
      /** What is really painted: with the text that sticks out of it, without what ancestors clip. */
      painted: Box;
      /** Its lines, if it is a text that wraps: another text may follow on the last one. */
      pieces: Box[];
      isCut: boolean;
    }
    const CONTROLS = 'button, a[href], input, select, textarea, summary, h1, [role=row][data-index], li';
    const BARS = 'header, footer, aside, [role=toolbar], [role=dialog]';
    const SLACK = 1;

    const boxOf = ({ left, top, right, bottom }: Box): Box => ({ left, top, right, bottom });
    const isEmpty = (box: Box) => box.right - box.left < 2 || box.bottom - box.top < 2;
    const meet = (a: Box, b: Box): Box => ({
      left: Math.max(a.left, b.left),
      top: Math.max(a.top, b.top),
      right: Math.min(a.right, b.right),
      bottom: Math.min(a.bottom, b.bottom),
    });
    const join = (a: Box, b: Box): Box => ({
      left: Math.min(a.left, b.left),
      top: Math.min(a.top, b.top),
      right: Math.max(a.right, b.right),
      bottom: Math.max(a.bottom, b.bottom),
    });
    const isShown = (element: any): boolean =>
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true });

    /** What remains of a box within its ancestors, and whether one cuts it off where nobody can scroll to it. */
    function clip(from: any, given: Box): { box: Box; isCut: boolean } {
      let box = given;
      let isCut = false;
      let { position } = getComputedStyle(from);
      for (let at = from.parentElement; at && position !== 'fixed'; at = at.parentElement) {
        const style = getComputedStyle(at);
        if (position === 'absolute' && style.position === 'static') continue;
        position = style.position;
        const inside = at.getBoundingClientRect();
        if (style.overflowX !== 'visible') {
          isCut ||= box.left < inside.left - SLACK || box.right > inside.right + SLACK;
          box = { ...box, left: Math.max(box.left, inside.left), right: Math.min(box.right, inside.right) };
        }
        if (style.overflowY !== 'visible') {
          const isOut = box.top < inside.top - SLACK || box.bottom > inside.bottom + SLACK;
          isCut ||= isOut && style.overflowY !== 'auto' && style.overflowY !== 'scroll';
          box = { ...box, top: Math.max(box.top, inside.top), bottom: Math.min(box.bottom, inside.bottom) };
        }
      }
      return { box, isCut };
    }

    /** The lines of text in an element. */
    function linesIn(element: any): { parent: any; box: Box }[] {
      const walker = document.createTreeWalker(element, 4);
      const lines: { parent: any; box: Box }[] = [];
      while (walker.nextNode()) {
        const parent = walker.currentNode.parentElement;
        if (walker.currentNode.data.trim() === '' || !isShown(parent)) continue;
        const range = document.createRange();
        range.selectNodeContents(walker.currentNode);
        const isClipped = getComputedStyle(parent).overflowX !== 'visible';
        for (const rect of range.getClientRects()) {
          const own = isClipped ? meet(rect, boxOf(parent.getBoundingClientRect())) : boxOf(rect);
          const { box } = clip(parent, own);
          if (!isEmpty(box)) lines.push({ parent, box });
        }
      }
      return lines;
    }

    // A toast is an alert dialog, but not a modal one.
    const dialogs = document.querySelectorAll('[role=dialog], [role=alertdialog]:not([aria-modal=false])');
    const root = dialogs[dialogs.length - 1] ?? document.body;
    const controls = [...root.querySelectorAll(CONTROLS)].filter(isShown).map((element): Thing => {
      const { box, isCut } = clip(element, boxOf(element.getBoundingClientRect()));
      const painted = isEmpty(box) ? box : linesIn(element).reduce((all, line) => join(all, line.box), box);
      const lines = getComputedStyle(element).display === 'inline' ? [...element.getClientRects()] : [];
      return { element, painted, pieces: lines.length > 1 ? lines : [painted], isCut };
    });
    const texts = linesIn(root)
      .filter(({ parent }) => !parent.closest(`${CONTROLS}, kbd`))
      .map(({ parent, box }): Thing => ({ element: parent, painted: box, pieces: [box], isCut: false }));
    // The link above the page is moved into it when it has the focus.
    const things = [...controls, ...texts].filter(({ painted }) => !isEmpty(painted) && painted.bottom > 0);

    const nameOf = ({ element, painted }: Thing) => {
      const name: string = element.getAttribute('aria-label') ?? element.textContent.trim();
      const place = [painted.left, painted.top, painted.right, painted.bottom].map(Math.round).join(' ');
      return `${element.localName} "${name.slice(0, 40)}" (${place})`;
    };
    const wrong = new Set<string>();
    if (controls.length === 0) wrong.add('there are no controls');
    const tooWide = document.documentElement.scrollWidth - innerWidth;
    if (tooWide > 0) wrong.add(`the page is ${tooWide} px too wide`);
    for (const table of root.querySelectorAll('table')) {
      const beyond = table.parentElement.scrollWidth - table.parentElement.clientWidth;
      if (isShown(table) && beyond > SLACK)
        wrong.add(`the table "${table.ariaLabel}" must be scrolled by ${beyond} px`);
    }
    const exceeds = (box: Box, edge: Box) =>
      box.left < edge.left - SLACK || box.right > edge.right + SLACK || box.bottom > edge.bottom + SLACK;
    for (const [index, one] of things.entries()) {
      const { element, painted, isCut } = one;
      if (exceeds(painted, { left: 0, top: 0, right: innerWidth, bottom: innerHeight }))
        wrong.add(`${nameOf(one)} is outside the window`);
      if (isCut) wrong.add(`${nameOf(one)} is cut off`);
      const bar = element.parentElement?.closest(BARS);
      if (bar && exceeds(painted, bar.getBoundingClientRect()))
        wrong.add(`${nameOf(one)} is outside its ${bar.getAttribute('aria-label') ?? bar.localName}`);
      for (const other of things.slice(index + 1)) {
        if (element.contains(other.element) || other.element.contains(element)) continue;
        // The bar of the selection floats over the assets.
        const isFloating = [one, other].some((each) => each.element.closest('[data-selection-bar]'));
        const isBelow = [one, other].some((each) => each.element.closest('[data-main-content]'));
        if (isFloating && isBelow) continue;
        const isOver = one.pieces.some((piece) => other.pieces.some((each) => !isEmpty(meet(piece, each))));
        if (isOver) wrong.add(`${nameOf(one)} overlaps ${nameOf(other)}`);
      }
    }
    return [...wrong];
  });
}
