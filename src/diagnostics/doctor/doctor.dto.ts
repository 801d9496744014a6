import { IsOptional, IsString, MaxLength } from 'class-validator';

export class ExamineStorageDto {
  /**
   * Of a page that should be able to upload.
   * @example "https://portal.example.com"
   */
  @IsOptional()
  @IsString()
  @MaxLength(300)
  origin?: string;
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
