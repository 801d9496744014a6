import { Module } from '@nestjs/common';
import { ActivityService } from './activity.service.js';
import { AdminClientAuditController, AuditController, PortalAuditController } from './audit.controller.js';
import { AuditSubjectsRepository } from './audit-subjects.repository.js';
import { AuditRepository } from './audit.repository.js';
import { AuditService } from './audit.service.js';
import { DeleteOldSignInEventsJob } from './delete-old-sign-in-events.job.js';

@Module({
  controllers: [AdminClientAuditController, AuditController, PortalAuditController],
  providers: [
    ActivityService,
    AuditService,
    AuditRepository,
    AuditSubjectsRepository,
    DeleteOldSignInEventsJob,
  ],
  exports: [ActivityService, AuditService],
})
export class AuditModule {}
