import { PLATFORMS } from '../agents/social/social.dto.js';
import { FIT_VERDICTS, SORTS } from '../assets/asset-list.query.js';
import { BULK_ACTIONS } from '../assets/bulk.dto.js';
import { ORIENTATIONS } from '../assets/orientation.js';
import type { SubjectState } from '../audit/audit-subjects.repository.js';
import { ACTORS } from '../audit/audit.dto.js';
import { PERMISSIONS } from '../access/permissions.js';
import { CATALOGUE } from '../common/errors/catalogue.js';
import type { ApiVocabulary } from './refine-document.js';
import { ADS_PROVIDERS } from '../database/entities/ads-connection.entity.js';
import { SURFACES, VERDICTS } from '../database/entities/asset.entity.js';
import { CONNECTION_STATES } from '../database/entities/client-integration.entity.js';
import {
  DELIVERED_RENDITIONS,
  DELIVERY_STATUSES,
  DELIVERY_STEPS,
} from '../database/entities/delivery.entity.js';
import { AGENT_STATES } from '../database/entities/seo-agent.entity.js';
import { TARGET_KINDS, TARGET_STATES } from '../database/entities/target.entity.js';
import { UPLOAD_STATUSES } from '../database/entities/upload-session.entity.js';
import { REFERENCE_KINDS, USAGE_KINDS, USAGE_ROLES } from '../database/entities/usage.entity.js';
import { ROLES } from '../database/entities/user.entity.js';
import type { ControlCheck, DatabaseState, QueueState, StorageCheck } from '../diagnostics/status.dto.js';
import { FIT_FOR } from '../fitness/fitness.rules.js';
import { SHAPES } from '../fitness/publishing-limits.js';
import { SUPPORTED_TYPES } from '../media/file-types.js';
import { SIZES } from '../preview/rendition.rules.js';
import { TARGET_METHODS } from '../targets/kinds/http/http-connection.js';
import type { TempState } from '../storage/temp-files.js';
import { USER_STATES } from '../users/users.dto.js';

/** The enumerations of the API. A test fails if one has no name. */
export const API_VOCABULARY: ApiVocabulary = {
  enums: {
    ActorKind: ACTORS,
    AdsProvider: ADS_PROVIDERS,
    AgentState: AGENT_STATES,
    AssetSort: SORTS,
    BulkAction: BULK_ACTIONS,
    ConnectionState: CONNECTION_STATES,
    ControlState: [
      'ok',
      'waiting',
      'copy',
      'behind',
      'unclaimed',
      'other_installation',
      'read_only',
      'newer_schema',
      'unknown',
    ] satisfies ControlCheck[],
    DatabaseState: ['ok', 'unreachable'] satisfies DatabaseState[],
    DeliveryStatus: DELIVERY_STATUSES,
    DeliveryStep: DELIVERY_STEPS,
    FitFor: FIT_FOR,
    FitShape: SHAPES,
    FitVerdict: FIT_VERDICTS,
    GrantType: ['password', 'refresh_token'],
    IntegrationState: [...new Set([...CONNECTION_STATES, ...TARGET_STATES])],
    MimeType: SUPPORTED_TYPES,
    Orientation: ORIENTATIONS,
    Permission: Object.keys(PERMISSIONS),
    Platform: PLATFORMS,
    PreviewSize: Object.keys(SIZES),
    ProblemCode: Object.keys(CATALOGUE),
    QueueState: ['ok', 'delayed', 'unreachable'] satisfies QueueState[],
    ReferenceKind: REFERENCE_KINDS,
    Rendition: DELIVERED_RENDITIONS,
    Role: ROLES,
    StorageState: [
      'ok',
      'not_configured',
      'unreachable',
      'forbidden',
      'other_installation',
    ] satisfies StorageCheck[],
    SubjectState: ['live', 'trashed', 'deleted'] satisfies SubjectState[],
    Surface: SURFACES,
    SystemStatus: ['ok', 'degraded'],
    TargetKind: TARGET_KINDS,
    TargetMethod: TARGET_METHODS,
    TargetState: TARGET_STATES,
    TempState: ['ok', 'full', 'not_writable'] satisfies TempState[],
    UploadStatus: UPLOAD_STATUSES,
    UsageKind: USAGE_KINDS,
    UsageRole: USAGE_ROLES,
    UserState: USER_STATES,
    Verdict: VERDICTS,
  },
  withFractions: ['CandidateDto', 'FitnessReasonDto', 'FitnessWarningDto', 'FocalPointDto'],
  withIdsAsGiven: ['BulkResultDto', 'ProblemResultDto'],
};
