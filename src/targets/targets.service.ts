import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditService } from '../audit/audit.service.js';
import type { ClientScope } from '../access/principal.js';
import { ClientsRepository } from '../clients/clients.repository.js';
import { violatedUnique } from '../common/errors/database-errors.js';
import { Problem } from '../common/errors/problem.js';
import { isUuid, newId } from '../common/ids.js';
import { decodeCursor, isUuidText, type Page, type PageQuery, toPage } from '../common/paging/page.js';
import { Database } from '../database/database.js';
import type { Target, TargetKind } from '../database/entities/target.entity.js';
import type { DiagnosisDto } from '../common/diagnosis.dto.js';
import { KINDS } from './kinds/kinds.js';
import type { NewTargetDto } from './new-target.dto.js';
import { TargetConnections } from './target-connections.js';
import { unreadableCredentialsFinding } from './target-findings.js';
import { TargetVerifications } from './target-verifications.js';
import type { UpdateTargetDto } from './targets.dto.js';
import { type TargetCondition, TargetsRepository } from './targets.repository.js';

const MAX_TARGETS = 100;

interface VerifiedTarget<V> {
  readonly target: Target;
  readonly verification: V;
}

@Injectable()
export class TargetsService {
  constructor(
    private readonly database: Database,
    private readonly targets: TargetsRepository,
    private readonly clients: ClientsRepository,
    private readonly connections: TargetConnections,
    private readonly verifications: TargetVerifications,
    private readonly audit: AuditService,
  ) {}

  async list(scope: ClientScope, query: PageQuery): Promise<Page<Target>> {
    const after = decodeCursor(query.cursor, isUuidText);
    const rows = await this.targets.findPage(scope, after, query.limit + 1);
    return toPage(
      rows.map((target) => this.withCurrentState(target)),
      query.limit,
      ({ id }) => id,
    );
  }

  async listAll({ clientId }: ClientScope): Promise<Target[]> {
    const rows = await this.targets.findPage({ clientId }, null, MAX_TARGETS);
    return rows.map((target) => this.withCurrentState(target));
  }

  async get({ clientId }: ClientScope, targetId: string): Promise<Target> {
    const target = isUuid(targetId) ? await this.targets.find({ clientId }, targetId) : null;
    if (target === null) throw new Problem('target_not_found');
    return this.withCurrentState(target);
  }

  /** Verified before it is stored, so that a lost response leaves nothing incomplete. */
  async create(scope: ClientScope, request: NewTargetDto): Promise<VerifiedTarget<DiagnosisDto>> {
    const { clientId } = scope;
    const { kind, name } = request;
    const settings = KINDS[kind].settingsOf(request);
    const secrets = pick(request, KINDS[kind].secrets);
    await this.requireRoom(clientId);
    if (await this.targets.findByName({ clientId }, name)) throw new Problem('target_name_taken');
    const {
      outcome: { state, detail, found },
      verification,
    } = await this.verifications.check(clientId, kind, {
      ...settings,
      ...secrets,
    });

    const id = newId();
    const target = await this.namingConflicts(() =>
      this.database.transaction(async (manager) => {
        // Two simultaneous requests must not both take the last place.
        await this.clients.lock(clientId, manager);
        await this.requireRoom(clientId, manager);
        const created = await this.targets.insert(
          {
            id,
            clientId,
            kind,
            name,
            settings: { ...settings, ...found },
            credentials: this.connections.seal({ id, clientId }, secrets),
            state,
            detail,
          },
          manager,
        );
        await this.record(manager, scope, 'target.create', created, { after: describe(created) });
        return created;
      }),
    );
    return { target, verification };
  }

  /** New credentials are first stored as unverified, then verified. */
  async update(
    scope: ClientScope,
    targetId: string,
    request: UpdateTargetDto,
  ): Promise<VerifiedTarget<DiagnosisDto | null>> {
    if (Object.values(request).every((value) => value === undefined))
      throw Problem.validation('body', 'must contain at least one change');
    const { before, after } = await this.namingConflicts(() =>
      this.database.transaction((manager) => this.change(manager, scope, targetId, request)),
    );
    if (after.revision === before.revision)
      return { target: this.withCurrentState(after), verification: null };
    const verification = await this.verifications.verify(scope, after);
    return { target: await this.get(scope, targetId), verification };
  }

  async delete(scope: ClientScope, targetId: string): Promise<void> {
    await this.database.transaction(async (manager) => {
      const target = await this.lock(manager, scope, targetId);
      await this.targets.delete(scope, target.id, manager);
      await this.record(manager, scope, 'target.delete', target, { before: describe(target) });
    });
  }

  async verify(scope: ClientScope, targetId: string): Promise<DiagnosisDto> {
    return this.verifications.verify(scope, await this.get(scope, targetId));
  }

  /** What a delivery found out about the connection. `target`: as it was when the attempt began. */
  async recordCondition(manager: EntityManager, target: Target, condition: TargetCondition): Promise<void> {
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

  private async change(
    manager: EntityManager,
    scope: ClientScope,
    targetId: string,
    { name, ...fields }: UpdateTargetDto,
  ): Promise<{ before: Target; after: Target }> {
    const before = await this.lock(manager, scope, targetId);
    const { changeable, secrets: secretNames } = KINDS[before.kind];
    rejectOtherFields(fields, [...changeable, ...secretNames], before.kind);
    const settings = pick(fields, changeable);
    const secrets = pick(fields, secretNames);
    const hasNewSecrets = Object.keys(secrets).length > 0;
    const reconnects = hasNewSecrets || Object.keys(settings).length > 0;
    const after = await this.targets.update(
      scope,
      before.id,
      {
        ...(name !== undefined && { name }),
        settings: { ...before.settings, ...settings },
        ...(hasNewSecrets && { credentials: this.connections.reseal(before, secrets) }),
        ...(reconnects && { revision: before.revision + 1, state: 'unverified', detail: null }),
      },
      manager,
    );
    await this.record(manager, scope, 'target.update', before, {
      before: describe(before),
      after: { ...describe(after), ...(hasNewSecrets && { credentials: 'changed' }) },
    });
    return { before, after };
  }

  private async lock(manager: EntityManager, { clientId }: ClientScope, targetId: string): Promise<Target> {
    const target = isUuid(targetId) ? await this.targets.lock({ clientId }, targetId, manager) : null;
    if (target === null) throw new Problem('target_not_found');
    return target;
  }

  /** Whether the credentials can be decrypted depends on the configuration, not on the row. */
  private withCurrentState(target: Target): Target {
    if (!this.connections.isReadable(target))
      return { ...target, state: 'credentials_unreadable', detail: unreadableCredentialsFinding().cause };
    return target.state === 'credentials_unreadable'
      ? { ...target, state: 'unverified', detail: null }
      : target;
  }

  private async requireRoom(clientId: string, manager?: EntityManager): Promise<void> {
    if ((await this.targets.count({ clientId }, manager)) < MAX_TARGETS) return;
    throw new Problem('too_many_targets', `A client can have at most ${MAX_TARGETS} destinations.`);
  }

  private async namingConflicts<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (violatedUnique(error) === 'targets_live_name') throw new Problem('target_name_taken');
      throw error;
    }
  }

  private record(
    manager: EntityManager,
    scope: ClientScope,
    action: string,
    { id }: Target,
    change: { before?: Record<string, unknown>; after?: Record<string, unknown> },
  ): Promise<void> {
    return this.audit.record(manager, { ...scope, action, subject: ['target', id], ...change });
  }
}

/** Picks the named fields that were given. */
function pick(fields: object, names: readonly string[]): object {
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => names.includes(name) && value !== undefined),
  );
}

function rejectOtherFields(fields: object, names: readonly string[], kind: TargetKind): void {
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined && !names.includes(name))
      throw Problem.validation(name, `does not belong to a target of kind ${kind}`);
  }
}

/** For the audit log: without secrets. */
function describe({ kind, name, settings, state }: Target): Record<string, unknown> {
  return { kind, name, ...KINDS[kind].auditView(settings), state };
}
