import type { JSHandle, Page } from 'playwright-core';

/** Globals of the page in which the functions below run; the DOM types would conflict with Node's. */
declare const document: any;
declare const Image: any;
declare const OffscreenCanvas: any;

/** A picture or a video on a page, as a browser shows it. */
export interface Shown {
  width: number;
  height: number;
  /** The red, green and blue values of a small grid. */
  colours: number[];
}

/** Pictures are compared at this size. */
const GRID = 24;

/** Adds it to the page; rejects if the browser cannot decode it. */
export async function showPicture(page: Page, source: string): Promise<Shown> {
  const image = await page.evaluateHandle(async (src) => {
    const element = Object.assign(new Image(), { src, height: 160 });
    document.body.append(element);
    await element.decode();
    return element;
  }, source);
  const size = await image.evaluate(({ naturalWidth, naturalHeight }) => ({
    width: naturalWidth as number,
    height: naturalHeight as number,
  }));
  return { ...size, colours: await coloursOf(image) };
}

export interface ShownFilm extends Shown {
  durationMs: number;
}

/** Shows a video at its beginning, in the same way. */
export async function showFilm(page: Page, source: string): Promise<ShownFilm> {
  const video = await page.evaluateHandle(async (src) => {
    const element = document.createElement('video');
    document.body.append(element);
    await new Promise<void>((resolve, reject) => {
      element.onloadeddata = () => resolve();
      element.onerror = () => reject(new Error(element.error.message));
      Object.assign(element, { height: 160, muted: true, preload: 'auto', src });
    });
    return element;
  }, source);
  // On a busy machine, `loadeddata` can come before there is a frame to draw.
  let colours = await coloursOf(video);
  for (let tries = 0; tries < 50 && colours.every((value) => value === 255); tries++) {
    await page.waitForTimeout(100);
    colours = await coloursOf(video);
  }
  const facts = await video.evaluate(async (element) => {
    await new Promise<void>((resolve, reject) => {
      element.onseeked = () => resolve();
      element.onerror = () => reject(new Error(element.error.message));
      element.currentTime = element.duration / 2;
    });
    const { videoWidth, videoHeight, duration } = element;
    return { width: videoWidth as number, height: videoHeight as number, durationMs: duration * 1000 };
  });
  return { ...facts, colours };
}

export function canPlay(page: Page, codec: string): Promise<boolean> {
  return page.evaluate(
    (type) => document.createElement('video').canPlayType(type) !== '',
    `video/mp4; codecs="${codec}"`,
  );
}

/** The mean difference of their colours, from 0 to 255. */
export function distance(one: Shown, other: Shown): number {
  const sum = one.colours.reduce((total, value, index) => total + Math.abs(value - other.colours[index]!), 0);
  return sum / one.colours.length;
}

/** As text, because Playwright takes long to check long lists. */
async function coloursOf(element: JSHandle): Promise<number[]> {
  const colours = await element.evaluate((shown, grid) => {
    // Browsers scale down by dropping pixels, so the mean of a cell is computed from many of them.
    const cell = 16;
    const side = grid * cell;
    const canvas = new OffscreenCanvas(side, side).getContext('2d');
    canvas.imageSmoothingQuality = 'high';
    canvas.fillStyle = 'white';
    canvas.fillRect(0, 0, side, side);
    canvas.drawImage(shown, 0, 0, side, side);
    const { data } = canvas.getImageData(0, 0, side, side) as { data: Uint8ClampedArray };
    const sums = new Array<number>(grid * grid * 3).fill(0);
    for (let y = 0; y < side; y++) {
      for (let x = 0; x < side; x++) {
        const at = (Math.floor(y / cell) * grid + Math.floor(x / cell)) * 3;
        for (const channel of [0, 1, 2]) sums[at + channel]! += data[(y * side + x) * 4 + channel]!;
      }
    }
    return JSON.stringify(sums.map((sum) => sum / cell ** 2));
  }, GRID);
  return JSON.parse(colours) as number[];
}
