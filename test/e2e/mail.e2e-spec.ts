import { randomUUID } from 'node:crypto';
import type { Config } from '../../src/config/config.js';
import { Mailer } from '../../src/mail/mailer.js';
import type { Api } from '../support/api/api.js';
import { newPerson } from '../support/api/people.js';
import { expectProblem } from '../support/api/problems.js';
import { eventually } from '../support/eventually.js';
import { drainQueue } from '../support/services/background.js';
import { MailServer, type ReceivedMail } from '../support/services/mail-server.js';
import { OWNER, query, type Service, startService } from '../support/services/service.js';

const newEmail = () => `${randomUUID()}@test.example`;
const LINK = /http:\S+\/invitation#([\w-]{43})/;

describe('Mail', () => {
  let mail: MailServer;
  let service: Service;
  let owner: Api;
  beforeAll(async () => {
    mail = await MailServer.start();
    service = await startService({
      WORKER: 'inline',
      SMTP_URL: mail.url,
      MAIL_FROM: 'Asset Library <assets@agency.example>',
      PUBLIC_URL: 'http://assets.agency.example',
    });
    owner = await service.api.signIn(OWNER);
  });
  afterAll(async () => {
    await service.stop();
    await mail.stop();
  });

  const invite = (email: string, name = 'Grace') =>
    owner.post('/admin/users', { email, name, role: 'viewer' });
  const forgot = (email: string) => service.api.post('/auth/password/forgot', { email });
  const accept = (token: string) =>
    service.api.post('/auth/invitations/accept', { token, password: 'the-next-password' });
  const tokenIn = ({ body }: ReceivedMail) => LINK.exec(body)![1]!;
  const queued = () =>
    query<{ task: string; payload: object }>(
      service.databaseUrl,
      `SELECT t.identifier AS task, j.payload FROM graphile_worker._private_jobs j
         JOIN graphile_worker._private_tasks t ON t.id = j.task_id WHERE t.identifier LIKE '%password-link'`,
    );

  it('an invitation is sent to the person, with the link that its maker sees', async () => {
    const email = newEmail();
    const { invitation } = (await invite(email, '<b>Eve</b> & Co')).body;
    expect(invitation).toMatchObject({
      isMailed: true,
      url: expect.stringMatching(/^http:\/\/assets\.agency\.example\//),
    });
    const received = await mail.mailTo(email);
    expect(received.to).toEqual([email]);
    expect(received.headers).toContain('From: Asset Library <assets@agency.example>');
    expect(received.headers).toContain('Subject: Your invitation to the Asset Library');
    expect(received.body.split(invitation.url)).toHaveLength(4);
    expect(received.body).toContain('Hello &lt;b&gt;Eve&lt;/b&gt; &amp; Co,');
    expect((await accept(tokenIn(received))).status).toBe(200);
  });

  it('neither names nor addresses add headers or recipients', async () => {
    const email = newEmail();
    const { status } = await invite(email, 'Eve\r\nBcc: other@evil.example\r\n\r\nBuy this');
    if (status === 201) {
      const received = await mail.mailTo(email);
      expect(received.to).toEqual([email]);
      expect(received.headers).not.toMatch(/bcc/i);
    }
    for (const address of [
      'a@test.example, b@evil.example',
      'a@test.example\r\nBcc: b@evil.example',
      'A <a@test.example>',
      '"a,b"@test.example',
    ])
      await invite(address);
    await drainQueue(service);
    expect(mail.received.flatMap(({ to }) => to).filter((to) => to.includes('evil'))).toEqual([]);
  });

  it('who forgot a password gets a link for an hour, and only the last one works', async () => {
    const person = await newPerson(owner, { role: 'viewer' });
    expect((await service.api.get('/auth/options')).body).toEqual({ passwordReset: true });
    await forgot(` ${person.email.toUpperCase()} `);
    const first = tokenIn(await mail.mailTo(person.email));
    await forgot(person.email);
    const second = tokenIn(await mail.mailTo(person.email, 1));
    expectProblem(await accept(first), 410, 'link_invalid');
    const { body } = await service.api.post('/auth/invitations/check', { token: second });
    expect(Math.abs(Date.parse(body.expiresAt) - Date.now() - 3_600_000)).toBeLessThan(60_000);
    expect((await person.api.get('/auth/me')).status).toBe(200);
    expect((await accept(second)).status).toBe(200);
    expect((await person.api.get('/auth/me')).status).toBe(401);
  });

  it('does not end the link that somebody made for the person', async () => {
    const person = await newPerson(owner, { role: 'viewer' });
    const { url } = (await owner.post(`/admin/users/${person.userId}/reset-link`)).body;
    await forgot(person.email);
    await eventually(() => expect(mail.mailsTo(person.email)).toHaveLength(2));
    expect((await accept(LINK.exec(url)![1]!)).status).toBe(200);
  });

  it('does not reveal who has an account, and sends nothing to those who cannot sign in', async () => {
    const active = await newPerson(owner, { role: 'viewer' });
    const inactive = await newPerson(owner, { role: 'viewer' });
    await owner.patch(`/admin/users/${inactive.userId}`, { isActive: false });
    const invited = newEmail();
    await invite(invited);
    await mail.mailTo(invited);

    const emails = [active.email, inactive.email, invited, newEmail()];
    const responses = await Promise.all(emails.map(forgot));
    const shapes = responses.map(({ status, headers, body }) =>
      JSON.stringify([status, body, [...headers.keys()].sort()]),
    );
    expect(responses[0]!.status).toBe(202);
    expect(new Set(shapes).size).toBe(1);
    await mail.mailTo(active.email);
    await drainQueue(service);
    expect(emails.map((email) => mail.mailsTo(email).length)).toEqual([1, 0, 1, 0]);
  });

  it('limits the mails to one account, and responds the same', async () => {
    const person = await newPerson(owner, { role: 'viewer' });
    for (const email of [person.email, newEmail()]) {
      const statuses: number[] = [];
      for (let count = 0; count < 7; count++) {
        statuses.push((await forgot(email)).status);
        await drainQueue(service);
      }
      expect(statuses).toEqual(Array(7).fill(202));
    }
    expect(mail.mailsTo(person.email)).toHaveLength(5);
  });

  it('sends nothing to another host in plain text, unless the URL allows it', async () => {
    const sendBy = (url: string) => {
      const config = { mail: { url, requireTls: true, from: 'assets@agency.example' } } as Config;
      const { signal } = new AbortController();
      return new Mailer(config).send({ to: newEmail(), subject: 'Hello', text: '', html: '' }, signal);
    };
    await expect(sendBy(mail.url)).rejects.toThrow('did not accept the message (ETLS');
    expect(await sendBy(`${mail.url}?requireTLS=false`)).toBe('sent');
  });

  it('tries again while the mail server fails, and stores and logs the token nowhere', async () => {
    mail.refusal = 451;
    const email = newEmail();
    const { url } = (await invite(email)).body.invitation;
    const token = LINK.exec(url)![1]!;
    await eventually(() => expect(mail.refusals).toBeGreaterThan(0));
    await eventually(() => expect(service.output()).toContain('EENVELOPE 451'));
    expect(JSON.stringify(await queued())).toContain('mail-password-link');
    expect(JSON.stringify(await queued())).not.toContain(token);
    mail.refusal = null;
    await drainQueue(service);
    expect(tokenIn(await mail.mailTo(email))).toBe(token);
    expect(service.output()).not.toContain(token);
  });

  it('gives up when the address is refused for good, and says so once', async () => {
    mail.refusal = 550;
    const { userId } = (await invite(newEmail())).body;
    await drainQueue(service);
    mail.refusal = null;
    const lines = service
      .output()
      .split('\n')
      .filter((line) => line.includes(userId as string));
    expect(lines.filter((line) => line.includes('the mail server refused the message'))).toHaveLength(1);
    expect(await queued()).toEqual([]);
  });

  it('sends no link that has been used in the meantime', async () => {
    mail.refusal = 451;
    const before = mail.refusals;
    const email = newEmail();
    const { url } = (await invite(email)).body.invitation;
    await eventually(() => expect(mail.refusals).toBeGreaterThan(before));
    expect((await accept(LINK.exec(url)![1]!)).status).toBe(200);
    mail.refusal = null;
    await drainQueue(service);
    expect(mail.mailsTo(email)).toEqual([]);
    await service.api.signIn({ email, password: 'the-next-password' });
  });
});
