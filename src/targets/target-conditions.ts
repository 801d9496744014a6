import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditService } from '../audit/audit.service.js';
import type { Target } from '../database/entities/target.entity.js';
import { type TargetCondition, TargetsRepository } from './targets.repository.js';

/** Records what deliveries find out about the connection to their target. */
@Injectable()
export class TargetConditions {
  constructor(
    private readonly targets: TargetsRepository,
    private readonly audit: AuditService,
  ) {}

  /** `target`: as it was when the attempt began. */
  async record(manager: EntityManager, target: Target, condition: TargetCondition): Promise<void> {
    if (!(await this.targets.recordCondition(target, condition, manager))) return;
    await this.audit.record(manager, {
      actor: null,
      clientId: target.clientId,
      action: 'target.state',
      subject: ['target', target.id],
      before: { state: target.state },
      after: { ...condition },
    });
  }
}
