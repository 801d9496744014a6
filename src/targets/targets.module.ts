import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { ClientsModule } from '../clients/clients.module.js';
import { OutboundModule } from '../outbound/outbound.module.js';
import { SecretsModule } from '../secrets/secrets.module.js';
import { CredentialRotation } from './credential-rotation.js';
import { TargetConnections } from './target-connections.js';
import { TargetVerifications } from './target-verifications.js';
import { TargetsController } from './targets.controller.js';
import { TargetsRepository } from './targets.repository.js';
import { TargetsService } from './targets.service.js';

@Module({
  imports: [AuditModule, ClientsModule, OutboundModule, SecretsModule],
  controllers: [TargetsController],
  providers: [CredentialRotation, TargetConnections, TargetsRepository, TargetsService, TargetVerifications],
  exports: [CredentialRotation, OutboundModule, TargetConnections, TargetsRepository, TargetsService],
})
export class TargetsModule {}
