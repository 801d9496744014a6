import { Baseline1763000000000 } from './1763000000000-baseline.js';

/** In order. Never change a migration that has landed: add another one. */
export const migrations = [Baseline1763000000000];
