import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { ClientsModule } from '../clients/clients.module.js';
import { Grants } from './grants.js';
import { UsersController } from './users.controller.js';
import { UsersRepository } from './users.repository.js';
import { UsersService } from './users.service.js';

@Module({
  imports: [AuditModule, ClientsModule],
  controllers: [UsersController],
  providers: [UsersService, UsersRepository, Grants],
  exports: [UsersService, UsersRepository, Grants],
})
export class UsersModule {}
