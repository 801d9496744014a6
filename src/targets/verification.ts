import type { DoctorStep, Finding } from '../common/diagnosis.dto.js';
import { OutboundError } from '../outbound/outbound-error.js';
import { findingOfFailure } from './target-findings.js';

/** The result of verifying a target. */
export interface Verification<Settings extends object = object> {
  readonly ok: boolean;
  readonly steps: readonly DoctorStep[];
  /** Set if the address itself is not allowed and nothing was sent. */
  readonly refusal: string | null;
  /** Settings that the site reported. */
  readonly found: Partial<Settings>;
}

/** Fails a step with a cause and a fix. */
export class StepFailure extends Error {
  constructor(readonly finding: Finding) {
    super(finding.cause);
    this.name = 'StepFailure';
  }
}

/** Runs the steps of a verification in order. After a failed step, the others are skipped, because they would fail for the same reason. */
export class VerificationSteps {
  private readonly steps: DoctorStep[] = [];
  private refusal: string | null = null;

  /** Null if this step or an earlier one failed. */
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

  result<Settings extends object>(found: Partial<Settings> = {}): Verification<Settings> {
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
