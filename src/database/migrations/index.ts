import { Foundation1763000000000 } from './1763000000000-foundation.js';
import { Uploads1763100000000 } from './1763100000000-uploads.js';
import { Library1763200000000 } from './1763200000000-library.js';
import { Renditions1763300000000 } from './1763300000000-renditions.js';
import { Diagnostics1763400000000 } from './1763400000000-diagnostics.js';
import { TrashedFolders1763600000000 } from './1763600000000-trashed-folders.js';
import { LibraryAtScale1763700000000 } from './1763700000000-library-at-scale.js';
import { UploadAttempts1763800000000 } from './1763800000000-upload-attempts.js';
import { UploadSessionRetention1763900000000 } from './1763900000000-upload-session-retention.js';
import { SignIns1764000000000 } from './1764000000000-sign-ins.js';
import { AccessChanges1764100000000 } from './1764100000000-access-changes.js';
import { Usages1764200000000 } from './1764200000000-usages.js';
import { Targets1764300000000 } from './1764300000000-targets.js';
import { Deliveries1764400000000 } from './1764400000000-deliveries.js';
import { SurfaceFitness1764500000000 } from './1764500000000-surface-fitness.js';
import { LibraryChanges1764600000000 } from './1764600000000-library-changes.js';
import { UsageCounts1764700000000 } from './1764700000000-usage-counts.js';
import { GeneratedColumns1764800000000 } from './1764800000000-generated-columns.js';
import { UploadDeletion1764900000000 } from './1764900000000-upload-deletion.js';
import { RenditionChecks1765000000000 } from './1765000000000-rendition-checks.js';
import { DecoderKills1766200000000 } from './1766200000000-decoder-kills.js';
import { ValidateRenditionStatus1766200100000 } from './1766200100000-validate-rendition-status.js';
import { BucketControl1766300000000 } from './1766300000000-bucket-control.js';
import { ReportedIds1766500000000 } from './1766500000000-reported-ids.js';
import { DeliveriesByLease1766600000000 } from './1766600000000-deliveries-by-lease.js';
import { ValidateDeliveriesByLease1766600100000 } from './1766600100000-validate-deliveries-by-lease.js';
import { UsesPerPost1766600200000 } from './1766600200000-uses-per-post.js';
import { ReportsByClient1805200000000 } from './1805200000000-reports-by-client.js';
import { AuditBySubject1805300000000 } from './1805300000000-audit-by-subject.js';

/** In order. Never change a migration that has landed: add another one. */
export const migrations = [
  Foundation1763000000000,
  Uploads1763100000000,
  Library1763200000000,
  Renditions1763300000000,
  Diagnostics1763400000000,
  TrashedFolders1763600000000,
  LibraryAtScale1763700000000,
  UploadAttempts1763800000000,
  UploadSessionRetention1763900000000,
  SignIns1764000000000,
  AccessChanges1764100000000,
  Usages1764200000000,
  Targets1764300000000,
  Deliveries1764400000000,
  SurfaceFitness1764500000000,
  LibraryChanges1764600000000,
  UsageCounts1764700000000,
  GeneratedColumns1764800000000,
  UploadDeletion1764900000000,
  RenditionChecks1765000000000,
  DecoderKills1766200000000,
  ValidateRenditionStatus1766200100000,
  BucketControl1766300000000,
  ReportedIds1766500000000,
  DeliveriesByLease1766600000000,
  ValidateDeliveriesByLease1766600100000,
  UsesPerPost1766600200000,
  ReportsByClient1805200000000,
  AuditBySubject1805300000000,
];
