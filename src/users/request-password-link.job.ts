import { Injectable } from '@nestjs/common';
import { Job, type JobHandler } from '../jobs/job.js';
import { PasswordLinks } from './password-links.js';

export const REQUEST_PASSWORD_LINK = 'request-password-link';

/** Looks up whoever forgot a password. In the background, so that the response says nothing about the address, not even by its time. */
@Injectable()
@Job(REQUEST_PASSWORD_LINK)
export class RequestPasswordLinkJob implements JobHandler<{ email: string }> {
  constructor(private readonly links: PasswordLinks) {}

  run({ email }: { email: string }): Promise<void> {
    return this.links.issueRequested(email);
  }
}
