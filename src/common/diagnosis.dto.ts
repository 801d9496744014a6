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
  readonly ok: boolean;
}

export class DoctorStepDto {
  /** @example "write" */
  step: string;
  ok: boolean;
  /** What is wrong. */
  cause?: string;
  /** What to do about it. */
  fix?: string;
}

export class DiagnosisDto {
  ok: boolean;
  steps: DoctorStepDto[];
}
