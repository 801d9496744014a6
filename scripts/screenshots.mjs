/** `npm run screenshots [directory]`: the pages in all their states, light and dark, on a desktop and on a phone. */
import { createServer } from 'node:http';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';
import { drawPicture, titleOf } from './samples/pictures.mjs';
import { findBrowser } from './support/browser.mjs';
import { prepare } from './support/prepare.mjs';
import { apiOf, fillLibrary, OWNER, startSampleService } from './support/sample-library.mjs';
import { endWith, root, say } from './support/steps.mjs';

const PORT = Number(process.env.PORT ?? 4390);
const PANEL_PORT = PORT + 2;
const PICTURES = 26;
const SIZES = {
  desktop: { viewport: { width: 1440, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true },
};
const SCHEMES = ['light', 'dark'];

await prepare().catch(endWith);
const target = resolve(process.argv[2] ?? join(root, '.screenshots'));
mkdirSync(target, { recursive: true });
const files = mkdtempSync(join(tmpdir(), 'screenshot-files-'));
const service = await startSampleService(PORT, { EMBED_ORIGINS: `http://localhost:${PANEL_PORT}` }).catch(
  endWith,
);
const panel = createServer((_request, response) => {
  const address = `${service.url}/embed/picker?surface=social&multiple=true&clientId=${clientId}`;
  const frame = `<iframe src="${address}" style="border:0;width:100%;height:100vh"></iframe>`;
  response
    .setHeader('content-type', 'text/html')
    .end(
      `<!doctype html><meta name="viewport" content="width=device-width"><title>Panel</title><body style="margin:0">${frame}`,
    );
}).listen(PANEL_PORT, '127.0.0.1');
const browser = await chromium.launch({
  executablePath: await findBrowser(),
  args: ['--no-sandbox', '--disable-gpu'],
});
let clientId;

try {
  const post = await apiOf(service.url);
  clientId = await fillLibrary(post, PICTURES);
  const empty = await post('/admin/clients', { name: 'Florist Ivy' });
  let walks = 0;
  for (const [size, options] of Object.entries(SIZES))
    for (const colorScheme of SCHEMES) {
      say(`${size}, ${colorScheme}`);
      const walk = await signedInWalk(size, colorScheme, options);
      await walk.libraryStates(empty.clientId);
      await walk.uploadStates(await filesToUpload(++walks));
      await walk.otherPages();
      await walk.picker();
      await walk.close();
    }
  say(`\nWritten to ${target}`);
} finally {
  await browser.close();
  panel.closeAllConnections();
  panel.close();
  await service.stop();
  rmSync(files, { recursive: true });
}

/** Different pictures each time, because the library reports duplicates. */
async function filesToUpload(walk) {
  const paths = [];
  const add = (name, bytes) => {
    paths.push(join(files, name));
    writeFileSync(paths.at(-1), bytes);
  };
  for (let number = 0; number < 7; number++)
    add(
      `${titleOf(number)} retouched.jpg`,
      await drawPicture(100 * walk + number, { width: 2400, height: 1600 }),
    );
  add('price list.pdf', 'not a picture');
  add('scan.jpg', Buffer.alloc(4_000, 1));
  return paths;
}

async function signedInWalk(size, colorScheme, options) {
  const context = await browser.newContext({
    ...options,
    colorScheme,
    locale: 'en-GB',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const library = `${service.url}/clients/${clientId}/assets`;
  const isPhone = size === 'phone';

  const shoot = async (name) => {
    await page.waitForLoadState('networkidle', { timeout: 3_000 }).catch(() => undefined);
    await page.screenshot({ path: join(target, `${size}-${colorScheme}-${name}.png`) });
  };
  const go = async (url) => {
    await page.goto(url);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
  };
  const cards = () => page.getByRole('grid').getByRole('row');

  await page.goto(`${service.url}/`);
  await page.getByLabel('Email').waitFor();
  await shoot('01-sign-in');
  await page.getByLabel('Email').fill(OWNER.email);
  await page.getByLabel('Password', { exact: true }).fill(OWNER.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Sign in' }).waitFor({ state: 'hidden' });

  return {
    close: () => context.close(),

    async libraryStates(emptyClientId) {
      await go(`${service.url}/clients?all=true`);
      await shoot('02-clients');
      await go(`${service.url}/clients/${emptyClientId}/assets`);
      await shoot('03-empty');
      await page.route('**/assets?*', (route) =>
        setTimeout(() => void route.continue().catch(() => undefined), 20_000),
      );
      await page.goto(library);
      await page.getByRole('button', { name: 'Upload', exact: true }).first().waitFor();
      await page.screenshot({ path: join(target, `${size}-${colorScheme}-04-loading.png`) });
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await go(library);
      await cards().first().waitFor();
      await shoot('05-full');
      const first = await cards().nth(1).boundingBox();
      if (isPhone) await longPress(page, first);
      else {
        await page.mouse.click(first.x + 24, first.y + 60);
        await page.keyboard.down('Control');
        const second = await cards().nth(3).boundingBox();
        await page.mouse.click(second.x + 24, second.y + 60);
        await page.keyboard.up('Control');
      }
      await shoot('06-selecting');
      if (!isPhone) {
        await page
          .getByRole('button', { name: /details/i })
          .first()
          .click();
        await page
          .getByRole('complementary', { name: /details/i })
          .getByRole('heading')
          .first()
          .waitFor();
        await shoot('07-details');
      }
      await go(library);
      await cards().first().waitFor();
      const position = { x: 40, y: 40 };
      if (isPhone) await cards().nth(1).tap({ position });
      else await cards().nth(1).dblclick({ position });
      await page.waitForURL(/asset=/);
      await shoot('08-lightbox');
      await go(`${service.url}/clients/${clientId}/trash`);
      await shoot('09-trash');
    },

    async uploadStates(paths) {
      await go(library);
      await cards().first().waitFor();
      const devtools = await context.newCDPSession(page);
      const network = (uploadThroughput, offline = false) =>
        devtools.send('Network.emulateNetworkConditions', {
          offline,
          latency: 0,
          downloadThroughput: -1,
          uploadThroughput,
        });
      await devtools.send('Network.enable');
      await network(60_000);
      const chooser = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: 'Upload', exact: true }).first().click();
      if (isPhone) await page.getByRole('menuitem', { name: 'Choose files' }).click();
      await (await chooser).setFiles(paths);
      const uploads = page.getByRole('region', { name: 'Uploads' });
      await uploads.getByText(/left$/).waitFor();
      await shoot('10-uploading');
      if (isPhone) await uploads.getByRole('button', { name: 'Expand' }).click();
      await network(-1, true);
      await uploads.getByText('Waiting for connection').waitFor();
      await shoot('11-offline');
      await network(-1);
      await uploads.getByText('2 uploads failed').first().waitFor();
      await uploads
        .getByText(/files? uploaded/)
        .or(uploads.getByText(/duplicates?$/))
        .first()
        .waitFor({ timeout: 60_000 });
      await shoot('12-failing');
    },

    async otherPages() {
      for (const [name, path] of [
        ['20-deliveries', `/clients/${clientId}/deliveries`],
        ['21-targets', `/clients/${clientId}/targets`],
        ['22-activity', `/clients/${clientId}/activity`],
        ['23-client-diagnostics', `/clients/${clientId}/diagnostics`],
        ['24-users', '/users'],
        ['25-api-keys', '/api-keys'],
        ['26-diagnostics', '/diagnostics'],
      ]) {
        await go(service.url + path);
        await shoot(name);
      }
    },

    async picker() {
      await page.goto(`http://localhost:${PANEL_PORT}/`);
      const frame = page.frameLocator('iframe');
      await frame.getByLabel('Email').fill(OWNER.email);
      await frame.getByLabel('Password', { exact: true }).fill(OWNER.password);
      await frame.getByRole('button', { name: 'Sign in' }).click();
      await frame.getByRole('option').first().click();
      await frame.getByRole('option').nth(2).click();
      await shoot('30-picker');
    },
  };
}

async function longPress(page, { x, y }) {
  const devtools = await page.context().newCDPSession(page);
  const touchPoints = [{ x: x + 40, y: y + 40 }];
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
  await page.waitForTimeout(800);
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}
