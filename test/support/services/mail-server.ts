import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { eventually } from '../eventually.js';

export interface ReceivedMail {
  readonly to: readonly string[];
  readonly headers: string;
  /** Both parts, decoded. */
  readonly body: string;
}

/** A real mail server that keeps what it receives. */
export class MailServer {
  readonly received: ReceivedMail[] = [];
  /** Rejects recipients with this response until it is null. */
  refusal: number | null = null;
  refusals = 0;

  private readonly server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authMethods: ['PLAIN'],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      username === 'assets' && password === 'mail-password'
        ? done(null, { user: username })
        : done(new Error('No')),
    onRcptTo: (_address, _session, done) => {
      if (this.refusal === null) return done();
      this.refusals++;
      done(Object.assign(new Error('Not now'), { responseCode: this.refusal }));
    },
    onData: (stream, { envelope }, done) => {
      void text(stream).then((raw) => {
        const end = raw.indexOf('\r\n\r\n');
        const to = envelope.rcptTo.map(({ address }) => address);
        this.received.push({ to, headers: raw.slice(0, end), body: decoded(raw.slice(end)) });
        done();
      });
    },
  });

  private constructor() {}

  static async start(): Promise<MailServer> {
    const mail = new MailServer();
    await new Promise<void>((resolve) => mail.server.listen(0, '127.0.0.1', resolve));
    return mail;
  }

  get url(): string {
    const { port } = this.server.server.address() as AddressInfo;
    return `smtp://assets:mail-password@127.0.0.1:${port}`;
  }

  mailsTo(address: string): ReceivedMail[] {
    return this.received.filter(({ to }) => to.includes(address));
  }

  /** Waits for the next one if `count` have been seen. */
  mailTo(address: string, count = 0): Promise<ReceivedMail> {
    return eventually(() => {
      const mails = this.mailsTo(address);
      expect(mails.length).toBeGreaterThan(count);
      return mails.at(-1)!;
    });
  }

  stop(): Promise<void> {
    return new Promise((resolve) => this.server.close(resolve));
  }
}

/** Quoted-printable, which is how text with links arrives. */
function decoded(body: string): string {
  return body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}
