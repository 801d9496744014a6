import { Injectable } from '@nestjs/common';
import { createTransport, type Transporter } from 'nodemailer';
import type { Config } from '../config/config.js';
import { InjectConfig } from '../config/config.token.js';

const TIMEOUT_MS = 20_000;

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Says what failed without the server's text, which may quote the message. */
export class MailError extends Error {
  constructor(readonly code: string) {
    super(`The mail server at SMTP_URL did not accept the message (${code}).`);
    this.name = 'MailError';
  }
}

/** Sends mail through the server of SMTP_URL. */
@Injectable()
export class Mailer {
  private readonly transport: Transporter | null;

  constructor(@InjectConfig() { mail }: Config) {
    this.transport =
      mail &&
      createTransport(
        {
          // A parameter of the URL takes precedence.
          requireTLS: mail.requireTls,
          url: mail.url,
          connectionTimeout: TIMEOUT_MS,
          greetingTimeout: TIMEOUT_MS,
          socketTimeout: TIMEOUT_MS,
          disableFileAccess: true,
          disableUrlAccess: true,
        },
        { from: mail.from },
      );
  }

  get isConfigured(): boolean {
    return this.transport !== null;
  }

  /** `refused`: the server will never accept this message. Throws a {@link MailError} if it may accept it later. */
  async send({ to, ...mail }: Mail, signal: AbortSignal): Promise<'sent' | 'refused'> {
    if (this.transport === null) throw new MailError('SMTP_URL is not set');
    try {
      // As an object, the address is not parsed as a list.
      await this.transport.sendMail({ ...mail, to: { name: '', address: to }, signal });
      return 'sent';
    } catch (error) {
      const { code = 'unknown', responseCode = 0 } = error as { code?: string; responseCode?: number };
      if (responseCode >= 500 && ['EENVELOPE', 'EMESSAGE'].includes(code)) return 'refused';
      throw new MailError(responseCode > 0 ? `${code} ${responseCode}` : code);
    }
  }
}
