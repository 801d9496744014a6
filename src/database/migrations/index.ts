import { Foundation1763000000000 } from './1763000000000-foundation.js';
import { Uploads1763100000000 } from './1763100000000-uploads.js';
import { Library1763200000000 } from './1763200000000-library.js';
import { Renditions1763300000000 } from './1763300000000-renditions.js';
import { Diagnostics1763400000000 } from './1763400000000-diagnostics.js';
import { LibraryAtScale1763700000000 } from './1763700000000-library-at-scale.js';

/** In order. A migration that has landed is never changed: the next one mends it. */
export const migrations = [
  Foundation1763000000000,
  Uploads1763100000000,
  Library1763200000000,
  Renditions1763300000000,
  Diagnostics1763400000000,
  LibraryAtScale1763700000000,
];
