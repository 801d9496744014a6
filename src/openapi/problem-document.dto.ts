import type { Permission } from '../access/permissions.js';
import type { ProblemCode } from '../common/errors/catalogue.js';
import type { FieldError } from '../common/errors/problem.js';
import type { ProblemMembers } from '../common/errors/problem-document.js';
import type { Surface } from '../database/entities/asset.entity.js';
import type { UploadStatus } from '../database/entities/upload-session.entity.js';

export class FieldErrorDto implements FieldError {
  /** @example "email" */
  path: string;
  /** @example "email must be an email" */
  message: string;
}

/** One item of a request about many items. */
export class ProblemResultDto {
  /** As given in the request. */
  assetId?: string;
  /** @example "asset_01h455vb4pex5vsknk084sn02q" */
  assetRef?: string;
  ok: boolean;
  /** Present if `ok` is false. */
  code?: ProblemCode;
  detail?: string;
}

export class ProblemReasonDto {
  /** @example "content_mismatch" */
  code: string;
  detail: string;
}

/** An error response (RFC 9457). */
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
   * A stable code for programs.
   * @example "validation_failed"
   */
  code: ProblemCode;
  /** @example "0198a3c4-7b1e-7cc0-8f5e-2f5d1c9a7b10" */
  requestId: string;
  /** The first 20 invalid fields, if any. */
  errors?: FieldErrorDto[];
  /**
   * The total number of field errors.
   * @example 1
   */
  errorCount?: number;
  /**
   * For `permission_denied`: the missing permission.
   * @example "assets:write"
   */
  permission?: Permission;
  /** For `asset_not_found` and `folder_not_found` when opening what is in the trash: true. */
  inTrash?: boolean;
  /** For `bulk_failed` and rejected refs: the result of each item. For the archive of a selection: the assets that do not exist. */
  results?: ProblemResultDto[];
  /** For `version_mismatch`: the current version. */
  version?: number;
  /** For `asset_in_use` and `bulk_failed`: where the asset is used, up to 20 places. */
  usages?: Record<string, unknown>[];
  /** The number of places where it is used. */
  usageCount?: number;
  /** For `upload_session_closed`: the reason. */
  reason?: ProblemReasonDto;
  /** For `upload_session_closed` when cancelling or renewing: the status of the session. */
  sessionStatus?: UploadStatus;
  /** For `surface_not_allowed` when the API key is limited to surfaces: the requested surface. */
  surface?: Surface;
  /** The surfaces that the API key is limited to. */
  keySurfaces?: Surface[];
  /** For `client_required`: the first 100 of your clients that have a record with this id. */
  clientIds?: string[];
  /** For `storage_not_configured`: the missing settings. */
  missing?: string[];
}
