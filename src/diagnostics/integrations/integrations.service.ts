import { Injectable } from '@nestjs/common';
import { TargetsService } from '../../targets/targets.service.js';
import { AuditService } from '../../audit/audit.service.js';
import type { ClientScope } from '../../access/principal.js';
import { Database } from '../../database/database.js';
import type { ClientIntegration } from '../../database/entities/client-integration.entity.js';
import type { Target } from '../../database/entities/target.entity.js';
import { requireRecordId } from '../reported-records.js';
import type { PutIntegrationDto } from './integrations.dto.js';
import { IntegrationsRepository } from './integrations.repository.js';

@Injectable()
export class IntegrationsService {
  constructor(
    private readonly database: Database,
    private readonly integrations: IntegrationsRepository,
    private readonly targets: TargetsService,
    private readonly audit: AuditService,
  ) {}

  /** The integrations that operators maintain, then the client's targets. */
  async list(scope: ClientScope): Promise<(ClientIntegration | Target)[]> {
    const [integrations, targets] = await Promise.all([
      this.integrations.findOfClient(scope),
      this.targets.listAll(scope),
    ]);
    return [...integrations, ...targets];
  }

  async put(
    { clientId, actor }: ClientScope,
    kind: string,
    request: PutIntegrationDto,
  ): Promise<ClientIntegration> {
    requireRecordId('kind', kind);
    const integration: ClientIntegration = {
      clientId,
      kind,
      name: request.name,
      state: request.state,
      detail: request.detail ?? null,
      lastVerifiedAt: request.lastVerifiedAt ?? new Date(),
    };
    await this.database.transaction(async (manager) => {
      const before = await this.integrations.findOne({ clientId }, kind, manager);
      await this.integrations.put(integration, manager);
      await this.audit.record(manager, {
        actor,
        clientId,
        action: 'integration.update',
        subject: ['integration', kind],
        ...(before ? { before: { name: before.name, state: before.state } } : {}),
        after: { name: integration.name, state: integration.state },
      });
    });
    return integration;
  }
}
