import { Injectable } from '@nestjs/common';
import { AuditService } from '../audit/audit.service.js';
import type { ClientScope } from '../access/principal.js';
import { Problem } from '../common/errors/problem.js';
import { Database } from '../database/database.js';
import type { Target, TargetKind } from '../database/entities/target.entity.js';
import type { DiagnosisDto } from '../common/diagnosis.dto.js';
import { TargetConnections } from './target-connections.js';
import { unreadableCredentialsFinding } from './target-findings.js';
import { TargetVerifier } from './target-verifier.js';
import { type TargetOutcome, TargetsRepository } from './targets.repository.js';
import type { Verification } from './verification.js';

/** Verifies targets and stores the result. No database connection is held during a request to a site. */
@Injectable()
export class TargetVerifications {
  constructor(
    private readonly database: Database,
    private readonly targets: TargetsRepository,
    private readonly connections: TargetConnections,
    private readonly verifier: TargetVerifier,
    private readonly audit: AuditService,
  ) {}

  /** For a target that is not stored yet. Throws if its address is not allowed. */
  async check(
    clientId: string,
    kind: TargetKind,
    connection: object,
  ): Promise<{ outcome: TargetOutcome; verification: DiagnosisDto }> {
    const found = await this.verifier.verify(clientId, kind, connection);
    if (found.refusal !== null) throw new Problem('target_address_not_allowed', found.refusal);
    return { outcome: outcomeOf(found), verification: diagnosisOf(found) };
  }

  async verify(scope: ClientScope, target: Target): Promise<DiagnosisDto> {
    const { clientId, actor } = scope;
    const connection = this.connections.isReadable(target) ? this.connections.open(target) : null;
    const found = connection && (await this.verifier.verify(clientId, target.kind, connection));
    const verification = found ? diagnosisOf(found) : unreadableDiagnosis();
    const outcome: TargetOutcome = found
      ? outcomeOf(found)
      : { state: 'credentials_unreadable', detail: unreadableCredentialsFinding().cause, found: {} };
    await this.database.transaction(async (manager) => {
      // Changed in the meantime; that change triggers its own verification.
      if (!(await this.targets.recordOutcome(target, outcome, manager))) return;
      await this.audit.record(manager, {
        actor,
        clientId,
        action: 'target.verify',
        subject: ['target', target.id],
        before: { state: target.state },
        after: { state: outcome.state },
      });
    });
    return verification;
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
