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
import type { Target } from '../database/entities/target.entity.js';
import type { DiagnosisDto } from '../common/diagnosis.dto.js';
import { type TargetConnection, TargetConnections } from './target-connection.js';
import { unreadableCredentialsFinding } from './target-findings.js';
import { TargetVerifications } from './target-verifications.js';
import { readTargetUrl, wordPressBaseUrl } from './target-url.rules.js';
import type { CreateTargetDto, UpdateTargetDto } from './targets.dto.js';
import { TargetsRepository } from './targets.repository.js';

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
  async create(scope: ClientScope, request: CreateTargetDto): Promise<VerifiedTarget<DiagnosisDto>> {
    const { clientId } = scope;
    const connection = connectionOf(request);
    await this.requireRoom(clientId);
    if (await this.targets.findByName({ clientId }, request.name)) throw new Problem('target_name_taken');
    const { outcome, verification } = await this.verifications.check(clientId, connection);

    const id = newId();
    const secret = connection.kind === 'wordpress' ? connection.applicationPassword : connection.bearerToken;
    const target = await this.namingConflicts(() =>
      this.database.transaction(async (manager) => {
        // Two simultaneous requests must not both take the last place.
        await this.clients.lock(clientId, manager);
        await this.requireRoom(clientId, manager);
        const created = await this.targets.insert(
          {
            id,
            clientId,
            name: request.name,
            ...columnsOf(connection),
            credentials: secret === null ? null : this.connections.encrypt({ id, clientId }, secret),
            ...outcome,
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

  private async change(
    manager: EntityManager,
    scope: ClientScope,
    targetId: string,
    { name, username, method, applicationPassword, bearerToken }: UpdateTargetDto,
  ): Promise<{ before: Target; after: Target }> {
    const before = await this.lock(manager, scope, targetId);
    rejectFieldsOfOtherKind(before, { username, applicationPassword }, { method, bearerToken });
    const secret = before.kind === 'wordpress' ? applicationPassword : bearerToken;
    const credentials = secret ? this.connections.encrypt(before, secret) : secret;
    const reconnects = username !== undefined || method !== undefined || secret !== undefined;
    const after = await this.targets.update(
      scope,
      before.id,
      {
        ...(name !== undefined && { name }),
        ...(username !== undefined && { username }),
        ...(method !== undefined && { method }),
        ...(credentials !== undefined && { credentials }),
        ...(reconnects && { revision: before.revision + 1, state: 'unverified', detail: null }),
      },
      manager,
    );
    await this.record(manager, scope, 'target.update', before, {
      before: describe(before),
      after: { ...describe(after), ...(secret !== undefined && { credentials: 'changed' }) },
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
    { actor, clientId }: ClientScope,
    action: string,
    { id }: Target,
    change: { before?: Record<string, unknown>; after?: Record<string, unknown> },
  ): Promise<void> {
    return this.audit.record(manager, { actor, clientId, action, subject: ['target', id], ...change });
  }
}

function connectionOf(request: CreateTargetDto): TargetConnection {
  if (request.kind === 'wordpress') {
    const { kind, username, applicationPassword } = request;
    const baseUrl = wordPressBaseUrl(requireUrl('baseUrl', request.baseUrl));
    return { kind, baseUrl, restRoot: null, username, applicationPassword };
  }
  const { kind, method, bearerToken = null } = request;
  return { kind, url: requireUrl('url', request.url).href, method, bearerToken };
}

function requireUrl(path: string, text: string): URL {
  const read = readTargetUrl(text);
  if ('invalid' in read) throw Problem.validation(path, read.invalid);
  if ('refused' in read) throw new Problem('target_address_not_allowed', read.refused);
  return read.url;
}

function columnsOf(connection: TargetConnection) {
  return connection.kind === 'wordpress'
    ? {
        kind: connection.kind,
        baseUrl: connection.baseUrl,
        restRoot: null,
        username: connection.username,
        url: null,
        method: null,
      }
    : {
        kind: connection.kind,
        baseUrl: null,
        restRoot: null,
        username: null,
        url: connection.url,
        method: connection.method,
      };
}

function rejectFieldsOfOtherKind({ kind }: Target, wordpress: object, http: object): void {
  for (const [name, value] of Object.entries(kind === 'wordpress' ? http : wordpress)) {
    if (value !== undefined) throw Problem.validation(name, `does not belong to a target of kind ${kind}`);
  }
}

/** For the audit log: without secrets, which the query of a URL may contain. */
function describe({ kind, name, baseUrl, url, method, username, state }: Target): Record<string, unknown> {
  if (kind === 'wordpress') return { kind, name, baseUrl, username, state };
  return { kind, name, url: url!.split('?')[0], method, state };
}
