import { Injectable } from '@nestjs/common';
import { SURFACES } from '../../database/entities/asset.entity.js';
import { AuditService } from '../../audit/audit.service.js';
import { Problem } from '../../common/errors/problem.js';
import { isUuid, newId } from '../../common/ids.js';
import { decodeCursor, isUuidText, type Page, type PageQuery, toPage } from '../../common/paging/page.js';
import { AccessChanges } from '../../database/access-changes.js';
import { Database } from '../../database/database.js';
import type { ApiKey } from '../../database/entities/api-key.entity.js';
import { Grants } from '../../users/grants.js';
import { PasswordLinks } from '../../users/password-links.js';
import { API_KEY_PREFIX } from '../credential.js';
import { canGrant } from '../../access/permissions.js';
import type { Principal } from '../../access/principal.js';
import { hashSecret, newSecret } from '../../common/tokens.js';
import type { CreateApiKeyDto } from './api-keys.dto.js';
import { ApiKeysRepository } from './api-keys.repository.js';

@Injectable()
export class ApiKeysService {
  constructor(
    private readonly database: Database,
    private readonly keys: ApiKeysRepository,
    private readonly grants: Grants,
    private readonly links: PasswordLinks,
    private readonly audit: AuditService,
    private readonly accessChanges: AccessChanges,
  ) {}

  async list(actor: Principal, query: PageQuery): Promise<Page<ApiKey>> {
    const before = decodeCursor(query.cursor, isUuidText);
    const rows = await this.keys.findPage(actor, before, query.limit + 1);
    return toPage(rows, query.limit, (key) => key.id);
  }

  async create(actor: Principal, request: CreateApiKeyDto): Promise<{ apiKey: ApiKey; key: string }> {
    const grant = {
      role: request.role,
      clientIds: request.clientIds ? [...new Set(request.clientIds)] : null,
      surfaces: request.surfaces ? SURFACES.filter((each) => request.surfaces!.includes(each)) : null,
    };
    await this.grants.check(actor, grant);
    const id = newId();
    const key = API_KEY_PREFIX + newSecret();
    const described = { name: request.name, ...grant, expiresAt: request.expiresAt ?? null };
    const apiKey = await this.database.transaction(async (manager) => {
      await this.grants.lockActor(manager, actor);
      await this.keys.insert(
        {
          id,
          keyHash: hashSecret(key),
          ...described,
          lastUsedAt: null,
          revokedAt: null,
        },
        manager,
      );
      await this.audit.record(manager, {
        actor,
        action: 'api_key.create',
        subject: ['api_key', id],
        after: described,
      });
      return (await this.keys.findById(id, manager))!;
    });
    return { apiKey, key };
  }

  /** Revoking a key twice is allowed. */
  async revoke(actor: Principal, keyId: string): Promise<void> {
    if (!isUuid(keyId)) throw new Problem('api_key_not_found');
    await this.database.transaction(async (manager) => {
      const key = await this.keys.findById(keyId, manager);
      if (key === null || !canGrant(actor, key)) throw new Problem('api_key_not_found');
      if (await this.keys.revoke(keyId, manager)) {
        await this.links.endMadeBy('api_key', keyId, manager);
        await this.audit.record(manager, {
          actor,
          action: 'api_key.revoke',
          subject: ['api_key', keyId],
          before: { name: key.name },
        });
      }
    });
    await this.accessChanges.confirm();
  }
}
