import { Injectable } from '@nestjs/common';
import { AuditService } from '../audit/audit.service.js';
import type { ClientScope } from '../access/principal.js';
import { Problem } from '../common/errors/problem.js';
import { FairLimiter } from '../common/fair-limiter.js';
import type { Config } from '../config/config.js';
import { InjectConfig } from '../config/config.token.js';
import { Database } from '../database/database.js';
import type { Target, TargetKind } from '../database/entities/target.entity.js';
import type { DiagnosisDto } from '../common/diagnosis.dto.js';
import { OutboundClient } from '../outbound/outbound-client.js';
import type { KindServices } from './kinds/kind-definition.js';
import { KINDS } from './kinds/kinds.js';
import { TargetConnections } from './target-connections.js';
import { unreadableCredentialsFinding } from './target-findings.js';
import { type TargetOutcome, TargetsRepository } from './targets.repository.js';
import type { Verification } from './verification.js';

const TOTAL_MS = 30_000;
const MAX_WAIT_MS = 15_000;

/** Verifies targets and stores the result. No database connection is held during a request to a site. */
@Injectable()
export class TargetVerifications {
  private readonly services: KindServices;
  /** So that slow sites do not pile up. */
  private readonly limiter = new FairLimiter({
    capacity: 12,
    perClient: 3,
    maxQueued: 100,
    maxQueuedPerClient: 10,
    maxWaitMs: MAX_WAIT_MS,
    full: (limit) =>
      new Problem(
        limit === 'client' ? 'too_many_requests' : 'server_busy',
        'Too many destinations are being verified at the moment.',
        { retryAfter: 10 },
      ),
  });

  constructor(
    private readonly database: Database,
    private readonly targets: TargetsRepository,
    private readonly connections: TargetConnections,
    private readonly audit: AuditService,
    outbound: OutboundClient,
    @InjectConfig() config: Config,
  ) {
    this.services = { outbound, config };
  }

  /** For a target that is not stored yet. Throws if its address is not allowed. */
  async check(
    clientId: string,
    kind: TargetKind,
    connection: object,
  ): Promise<{ outcome: TargetOutcome; verification: DiagnosisDto }> {
    const found = await this.connect(clientId, kind, connection);
    if (found.refusal !== null) throw new Problem('target_address_not_allowed', found.refusal);
    return { outcome: outcomeOf(found), verification: diagnosisOf(found) };
  }

  async verify(scope: ClientScope, target: Target): Promise<DiagnosisDto> {
    const { clientId } = scope;
    const connection = this.connections.isReadable(target) ? this.connections.open(target) : null;
    const found = connection && (await this.connect(clientId, target.kind, connection));
    const verification = found ? diagnosisOf(found) : unreadableDiagnosis();
    const outcome: TargetOutcome = found
      ? outcomeOf(found)
      : { state: 'credentials_unreadable', detail: unreadableCredentialsFinding().cause, found: {} };
    await this.database.transaction(async (manager) => {
      // Changed in the meantime; that change triggers its own verification.
      if (!(await this.targets.recordOutcome(target, outcome, manager))) return;
      await this.audit.record(manager, {
        ...scope,
        action: 'target.verify',
        subject: ['target', target.id],
        before: { state: target.state },
        after: { state: outcome.state },
      });
    });
    return verification;
  }

  private connect(clientId: string, kind: TargetKind, connection: object): Promise<Verification> {
    return this.limiter.run({ clientId, priority: 'interactive' }, () =>
      KINDS[kind].verify(connection, this.services, AbortSignal.timeout(TOTAL_MS)),
    );
  }
}

function outcomeOf({ ok, steps, found }: Verification): TargetOutcome {
  const failed = steps.find((step) => !step.ok);
  return { state: ok ? 'connected' : 'error', detail: failed?.cause ?? null, found };
}

function diagnosisOf({ ok, steps }: Verification): DiagnosisDto {
  return { ok, steps: [...steps] };
}

function unreadableDiagnosis(): DiagnosisDto {
  return { ok: false, steps: [{ step: 'credentials', ok: false, ...unreadableCredentialsFinding() }] };
}
