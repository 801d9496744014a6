import {
  DELIVERED_RENDITIONS,
  DELIVERY_STATUSES,
  type DeliveryStep,
} from './agents/deliveries/delivery.rules.js';
import { ORIENTATIONS } from './agents/pick/candidates.statements.js';
import { PLATFORMS } from './agents/social/social.dto.js';
import { MIME_TYPES, SORTS } from './assets/asset-list.query.js';
import { BULK_ACTIONS } from './assets/bulk.dto.js';
import { SURFACES } from './assets/surface.rules.js';
import { PERMISSIONS, ROLES } from './auth/permissions.js';
import { CATALOGUE } from './common/errors/catalogue.js';
import type { ApiVocabulary } from './common/openapi/refine-document.js';
import { ADS_PROVIDERS } from './database/entities/ads-connection.entity.js';
import { CONNECTION_STATES } from './database/entities/client-integration.entity.js';
import { AGENT_STATES } from './database/entities/seo-agent.entity.js';
import { TARGET_KINDS, TARGET_METHODS, TARGET_STATES } from './database/entities/target.entity.js';
import type { UploadStatus } from './database/entities/upload-session.entity.js';
import type { DatabaseState, QueueState, StorageCheck } from './diagnostics/status.dto.js';
import { FIT_FOR, type Verdict } from './fitness/fitness.rules.js';
import { SHAPES } from './fitness/publishing-limits.js';
import { SIZES } from './preview/rendition.rules.js';
import { REFERENCE_KINDS, USAGE_ROLES, type UsageKind } from './usages/usage.rules.js';

/** The sets of values that the API speaks in. A test finds any that lacks a name. */
export const API_VOCABULARY: ApiVocabulary = {
  enums: {
    ActorKind: ['user', 'api_key', 'system'],
    AdsProvider: ADS_PROVIDERS,
    AgentState: AGENT_STATES,
    AssetSort: SORTS,
    BulkAction: BULK_ACTIONS,
    ConnectionState: CONNECTION_STATES,
    DatabaseState: ['ok', 'unreachable'] satisfies DatabaseState[],
    DeliveryStatus: DELIVERY_STATUSES,
    DeliveryStep: ['check', 'prepare', 'look_up', 'upload'] satisfies DeliveryStep[],
    FitFor: FIT_FOR,
    FitShape: SHAPES,
    GrantType: ['password', 'refresh_token'],
    IntegrationState: [...new Set([...CONNECTION_STATES, ...TARGET_STATES])],
    MimeType: MIME_TYPES,
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
    Surface: SURFACES,
    SystemStatus: ['ok', 'degraded'],
    TargetKind: TARGET_KINDS,
    TargetMethod: TARGET_METHODS,
    TargetState: TARGET_STATES,
    UploadStatus: [
      'pending',
      'finalizing',
      'finalized',
      'rejected',
      'cancelled',
      'expired',
    ] satisfies UploadStatus[],
    UsageKind: [...REFERENCE_KINDS, 'delivery'] satisfies UsageKind[],
    UsageRole: USAGE_ROLES,
    Verdict: ['ready', 'fixable', 'blocked'] satisfies Verdict[],
  },
  withFractions: ['CandidateDto', 'FitnessReasonDto', 'FocalPointDto'],
  withIdsAsGiven: ['BulkResultDto', 'ProblemResultDto'],
};
