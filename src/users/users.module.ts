import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { ClientsModule } from '../clients/clients.module.js';
import { MailModule } from '../mail/mail.module.js';
import { SecretsModule } from '../secrets/secrets.module.js';
import { Grants } from './grants.js';
import { MailPasswordLinkJob } from './mail-password-link.job.js';
import { PasswordLinks } from './password-links.js';
import { PasswordLinksRepository } from './password-links.repository.js';
import { RequestPasswordLinkJob } from './request-password-link.job.js';
import { UsersController } from './users.controller.js';
import { UsersRepository } from './users.repository.js';
import { UsersService } from './users.service.js';

@Module({
  imports: [AuditModule, ClientsModule, MailModule, SecretsModule],
  controllers: [UsersController],
  providers: [
    UsersService,
    UsersRepository,
    Grants,
    MailPasswordLinkJob,
    PasswordLinks,
    PasswordLinksRepository,
    RequestPasswordLinkJob,
  ],
  exports: [UsersService, UsersRepository, Grants, PasswordLinks, PasswordLinksRepository],
})
export class UsersModule {}
