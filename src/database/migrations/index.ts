import { Baseline1763000000000 } from './1763000000000-baseline.js';
import { TargetSettings1805400000000 } from './1805400000000-target-settings.js';
import { RenditionChecks1805500000000 } from './1805500000000-rendition-checks.js';
import { AssetsInUse1805600000000 } from './1805600000000-assets-in-use.js';
import { EmptyJobQueues1805700000000 } from './1805700000000-empty-job-queues.js';
import { Events1805800000000 } from './1805800000000-events.js';
import { UsersWithoutPassword1805900000000 } from './1805900000000-users-without-password.js';
import { ListingColumns1806000000000 } from './1806000000000-listing-columns.js';
import { FillListingColumns1806000000001 } from './1806000000001-fill-listing-columns.js';
import { ListingIndexes1806000000002 } from './1806000000002-listing-indexes.js';
import { ArchiveLinks1806100000000 } from './1806100000000-archive-links.js';
import { PickerTokens1806300000000 } from './1806300000000-picker-tokens.js';
import { PasswordLinks1806400000000 } from './1806400000000-password-links.js';
import { AuditFilters1806500000000 } from './1806500000000-audit-filters.js';

/** In order. Never change a migration that has landed: add another one. */
export const migrations = [
  Baseline1763000000000,
  TargetSettings1805400000000,
  RenditionChecks1805500000000,
  AssetsInUse1805600000000,
  EmptyJobQueues1805700000000,
  Events1805800000000,
  UsersWithoutPassword1805900000000,
  ListingColumns1806000000000,
  FillListingColumns1806000000001,
  ListingIndexes1806000000002,
  ArchiveLinks1806100000000,
  PickerTokens1806300000000,
  PasswordLinks1806400000000,
  AuditFilters1806500000000,
];
