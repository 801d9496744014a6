import type { DoctorStep, Finding } from '../../common/diagnosis.dto.js';
import { OutboundError } from '../../outbound/outbound-error.js';
import { findingOfFailure } from './target-findings.js';

/** What checking a target found. */
export interface Verification {
  readonly ok: boolean;
  readonly steps: readonly DoctorStep[];
  /** Set when the address itself is not allowed: nothing was sent. */
  readonly refusal: string | null;
  /** Addresses that the site named, to be stored. */
  readonly found: { readonly baseUrl?: string; readonly restRoot?: string };
}

/** Ends a step with what is wrong and what to do about it. */
export class StepFailure extends Error {
  constructor(readonly finding: Finding) {
    super(finding.cause);
    this.name = 'StepFailure';
  }
}

/** Runs the steps of a check one after the other. After a failed one the others are left out: they would fail for the same reason. */
export class VerificationSteps {
  private readonly steps: DoctorStep[] = [];
  private refusal: string | null = null;

  /** Null when this step failed, or one before it. */
  async run<T>(step: string, work: () => Promise<T>): Promise<T | null> {
    if (!this.ok) return null;
    try {
      const result = await work();
      this.steps.push({ step, ok: true });
      return result;
    } catch (error) {
      const finding = this.findingOf(error);
      this.steps.push({ step, ok: false, cause: finding.cause, fix: finding.fix });
      return null;
    }
  }

  result(found: Verification['found'] = {}): Verification {
    return { ok: this.ok, steps: this.steps, refusal: this.refusal, found };
  }

  private get ok(): boolean {
    return this.steps.every(({ ok }) => ok);
  }

  private findingOf(error: unknown): Finding {
    if (error instanceof StepFailure) return error.finding;
    if (!(error instanceof OutboundError)) throw error;
    if (error.code === 'address_refused' && this.steps.length === 0) this.refusal = error.message;
    return findingOfFailure(error);
  }
}
