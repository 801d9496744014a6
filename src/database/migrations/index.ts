import { Baseline1763000000000 } from './1763000000000-baseline.js';
import { TargetSettings1805400000000 } from './1805400000000-target-settings.js';
import { RenditionChecks1805500000000 } from './1805500000000-rendition-checks.js';
import { AssetsInUse1805600000000 } from './1805600000000-assets-in-use.js';

/** In order. Never change a migration that has landed: add another one. */
export const migrations = [
  Baseline1763000000000,
  TargetSettings1805400000000,
  RenditionChecks1805500000000,
  AssetsInUse1805600000000,
];
