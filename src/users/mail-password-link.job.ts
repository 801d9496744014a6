import { Injectable } from '@nestjs/common';
import { logger } from '../common/logging/logger.js';
import { Job, type JobHandler } from '../jobs/job.js';
import { Mailer } from '../mail/mailer.js';
import { mailWithLink } from './password-link-mail.js';
import { MAIL_PASSWORD_LINK, type MailPasswordLink, PasswordLinks } from './password-links.js';

/** Sends a link to its user, unless it has been used or has ended. */
@Injectable()
@Job(MAIL_PASSWORD_LINK)
export class MailPasswordLinkJob implements JobHandler<MailPasswordLink> {
  constructor(
    private readonly links: PasswordLinks,
    private readonly mailer: Mailer,
  ) {}

  async run(payload: MailPasswordLink, signal: AbortSignal): Promise<void> {
    const token = this.links.unseal(payload);
    const link = await this.links.find(token);
    if (link === null) return;
    const result = await this.mailer.send(mailWithLink(link, this.links.urlOf(token)), signal);
    if (result === 'refused')
      logger.warn({ userId: payload.userId }, 'the mail server refused the message: it is not sent again');
  }
}
