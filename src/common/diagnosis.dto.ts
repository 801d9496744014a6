/** What is wrong, and what to do about it. */
export interface Finding {
  readonly cause: string;
  readonly fix: string;
  /** Only this permission is missing; others may be granted. */
  readonly denied?: boolean;
}

/** A step of a check and its result. */
export interface DoctorStep extends Partial<Omit<Finding, 'denied'>> {
  readonly step: string;
  /** False also if it was skipped. */
  readonly ok: boolean;
  readonly skipped?: true;
}

export class DoctorStepDto {
  /** @example "write" */
  step: string;
  /** Whether the step was tried and succeeded. */
  ok: boolean;
  /** True if the step could not be tried because an earlier one failed. */
  skipped?: boolean;
  /** What is wrong. */
  cause?: string;
  /** What to do about it. */
  fix?: string;
}

export class DiagnosisDto {
  ok: boolean;
  steps: DoctorStepDto[];
}
