import type { Browser, Page } from 'playwright-core';
import type { Api } from '../support/api/api.js';
import { newClient, newPerson, PASSWORD } from '../support/api/people.js';
import { violationsInBothThemes } from '../support/browser/accessibility.js';
import { startBrowser } from '../support/browser/browser.js';
import { atEachWidth, misplacedOn } from '../support/browser/layout.js';
import { failuresIn, openAs, openPage, returnPage, startPages } from '../support/browser/pages.js';
import { eventually } from '../support/eventually.js';
import { MailServer } from '../support/services/mail-server.js';
import { OWNER, type Service } from '../support/services/service.js';

let mail: MailServer;
let service: Service;
let owner: Api;
let browser: Browser;
let bakery: string;
const opened: Page[] = [];

beforeAll(async () => {
  mail = await MailServer.start();
  service = await startPages({ WORKER: 'inline', SMTP_URL: mail.url, MAIL_FROM: 'assets@agency.example' });
  owner = await service.api.signIn(OWNER);
  bakery = await newClient(owner, 'Corner Bakery');
  browser = await startBrowser();
});
afterEach(async () => {
  for (const page of opened.splice(0)) {
    expect(failuresIn(page)).toEqual([]);
    await returnPage(page);
  }
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await mail?.stop();
});

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name, level: 1 });
const keep = (page: Page) => {
  opened.push(page);
  return page;
};

/** Accessible in both themes, and at all widths. */
async function expectUsable(page: Page): Promise<void> {
  const found = await violationsInBothThemes(page);
  await atEachWidth(page, async (width) => {
    found.push(...(await misplacedOn(page, `${width} px`)));
  });
  // These buttons are inside of their fields.
  expect(found.filter((each) => !/overlaps button "(Copy|Show password)"/.test(each))).toEqual([]);
}

it('an operator invites a client, who chooses a password and sees the portal', async () => {
  const operator = await newPerson(owner, { role: 'operator', clientIds: [bakery] });
  const colleague = await newPerson(owner, { role: 'viewer', clientIds: [bakery] });
  const office = keep(await openAs(browser, service, operator, '/users'));
  await button(office, 'Invite').click();
  await office.getByLabel('Name').fill('Clara Client');
  await office.getByLabel('Email').fill('clara@bakery.example');
  await office.getByRole('dialog').getByRole('button', { name: /Role$/ }).click();
  expect(await office.getByRole('option').allTextContents()).toHaveLength(2);
  await office.getByRole('option', { name: /Client manager/ }).click();
  await office
    .getByRole('dialog')
    .getByRole('button', { name: /Client$/ })
    .click();
  await office.getByRole('option', { name: 'Corner Bakery' }).click();
  await button(office, 'Create invitation').click();
  const dialog = office.getByRole('dialog', { name: 'Clara Client is invited' });
  await dialog.getByText('We are sending this link to clara@bakery.example.').waitFor();
  const link = await dialog.getByLabel('Link').inputValue();
  await expectUsable(office);
  await button(office, 'Done').click();
  await office
    .getByRole('row', { name: /Clara Client/ })
    .getByText('Invited')
    .waitFor();
  expect(await office.getByText(colleague.email).count()).toBe(0);

  const received = await mail.mailTo('clara@bakery.example');
  expect(received.body).toContain(link);
  const home = keep(await openPage(browser));
  await home.goto(link);
  await heading(home, 'Welcome, Clara Client').waitFor();
  await expectUsable(home);
  const password = home.getByLabel('New password', { exact: true });
  await password.fill(PASSWORD);
  await button(home, 'Show password').click();
  expect(await password.getAttribute('type')).toBe('text');
  await button(home, 'Save password and sign in').click();
  await home.waitForURL(`${service.url}/library`);
  await button(home, /Account of Clara Client/).waitFor();

  const later = keep(await openPage(browser));
  await later.goto(link);
  await heading(later, 'This link no longer works').waitFor();
  await expectUsable(later);
  await later.getByRole('link', { name: 'Go to sign-in' }).click();
  await button(later, 'Sign in').waitFor();
});

it('who forgot the password gets a link by email, and whoever is signed in here is signed out', async () => {
  const person = await newPerson(owner, { role: 'client_viewer', clientIds: [bakery] });
  const page = keep(await openPage(browser));
  await page.goto(`${service.url}/sign-in`);
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await heading(page, 'Forgot your password?').waitFor();
  await page.getByLabel('Email').fill(person.email);
  await expectUsable(page);
  await button(page, 'Send link').click();
  await heading(page, 'Check your email').waitFor();
  const [link] = /http:\S+\/invitation#[\w-]+/.exec((await mail.mailTo(person.email)).body)!;

  const other = keep(await openAs(browser, service, OWNER, '/clients'));
  await heading(other, 'Clients').waitFor();
  const signIns = async () => (await owner.get('/auth/sign-ins')).body.signIns.length as number;
  const before = await signIns();
  const stranger = await newPerson(owner, { role: 'client_viewer', clientIds: [bakery] });
  const newLink = async () => (await owner.post(`/admin/users/${stranger.userId}/reset-link`)).body.url;
  await other.goto(await newLink());
  await other.getByLabel('New password', { exact: true }).fill('the-next-password');
  await newLink();
  await button(other, 'Save password and sign in').click();
  await heading(other, 'This link no longer works').waitFor();
  await other.getByText('or ask for a new one with “Forgot password?”').waitFor();
  await other.goto(`${service.url}/clients`);
  await heading(other, 'Clients').waitFor();

  await other.goto(link);
  await other.getByText(`You are signed in as ${OWNER.email}.`).waitFor();
  await other.getByLabel('New password', { exact: true }).fill('the-next-password');
  await button(other, 'Save password and sign in').click();
  await other.waitForURL(`${service.url}/library`);
  await eventually(async () => expect(await signIns()).toBe(before - 1));
  await other.reload();
  await button(other, /^Account of/).waitFor();
  expect(await other.getByRole('heading', { name: 'Clients', level: 1 }).count()).toBe(0);
  expect((await person.api.get('/auth/me')).status).toBe(401);
});

it('the profile changes the name and the password, and ends other sign-ins', async () => {
  const person = await newPerson(owner, { role: 'client_viewer', clientIds: [bakery] });
  const page = keep(await openAs(browser, service, person, '/library'));
  await button(page, /^Account of/).click();
  await page.getByRole('menuitem', { name: 'Your profile' }).click();
  await heading(page, 'Your profile').waitFor();
  await page.getByText('This device').waitFor();
  await expectUsable(page);
  await page.getByLabel('Name', { exact: true }).fill('Violet Baker');
  await button(page, 'Save').click();
  await button(page, /^Account of Violet Baker/).waitFor();

  await button(page, /^Sign out (Unknown|node)/).click();
  await page.getByText(/is signed out$/).waitFor();
  expect((await person.api.get('/auth/me')).status).toBe(401);
  const last = await service.api.signIn({ email: person.email, password: PASSWORD });
  await page.reload();
  await button(page, 'Sign out all other devices').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out all other devices' }).click();
  await page.getByText('All other devices are signed out').waitFor();
  expect((await last.get('/auth/me')).status).toBe(401);

  let changes = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/auth/password')) changes++;
  });
  await page.getByLabel('Current password').fill('not-the-password');
  await page.getByLabel('New password').fill('the-next-password');
  await button(page, 'Change password').click();
  await page.getByText('The email address or password is wrong').waitFor();
  expect(changes).toBe(1);
  await page.getByLabel('Current password').fill(PASSWORD);
  await page.getByLabel('New password').fill('the-next-password');
  await button(page, 'Change password').click();
  await page.getByText('Password changed').waitFor();
  await service.api.signIn({ email: person.email, password: 'the-next-password' });
});
