import type { Permission } from '../access/permissions.js';
import type { ProblemCode } from '../common/errors/catalogue.js';
import type { FieldError } from '../common/errors/problem.js';
import type { ProblemMembers } from '../common/errors/problem-document.js';

export class FieldErrorDto implements FieldError {
  /** @example "email" */
  path: string;
  /** @example "email must be an email" */
  message: string;
}

/** An item of a request about many. */
export class ProblemResultDto {
  /** As it was given. */
  assetId?: string;
  /** @example "asset_01h455vb4pex5vsknk084sn02q" */
  assetRef?: string;
  ok: boolean;
  /** Why not. */
  code?: ProblemCode;
  detail?: string;
}

export class ProblemReasonDto {
  /** @example "content_mismatch" */
  code: string;
  detail: string;
}

/** An error answer, RFC 9457. */
export class ProblemDocument implements ProblemMembers {
  /** @example "urn:asset-library:problem:validation_failed" */
  type: string;
  /** @example "The request is not valid" */
  title: string;
  /** @example 400 */
  status: number;
  /** @example "email: email must be an email" */
  detail: string;
  /**
   * Stable, for programs.
   * @example "validation_failed"
   */
  code: ProblemCode;
  /** @example "0198a3c4-7b1e-7cc0-8f5e-2f5d1c9a7b10" */
  requestId: string;
  /** Which fields are wrong, when fields are: the first 20. */
  errors?: FieldErrorDto[];
  /**
   * How many field errors there are in all.
   * @example 1
   */
  errorCount?: number;
  /**
   * Of `permission_denied`: what is missing.
   * @example "assets:write"
   */
  permission?: Permission;
  /** Of `bulk_failed`, and of refused refs: what is wrong with which. */
  results?: ProblemResultDto[];
  /** Of `version_mismatch`: the current version. */
  version?: number;
  /** Of `asset_in_use` and `bulk_failed`: where the asset is used, up to 20 places. */
  usages?: Record<string, unknown>[];
  /** In how many places it is used. */
  usageCount?: number;
  /** Of `upload_session_closed`: why. */
  reason?: ProblemReasonDto;
  /** Of `storage_not_configured`: the settings that are missing. */
  missing?: string[];
}
