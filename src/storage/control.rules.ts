import type { Marker } from './marker.js';

/**
 * Whether this process may delete from the bucket and act outside.
 * - `ok`: its database controls the bucket.
 * - `waiting`: it probably does, but a copy of the database could be the one that does. Ends by itself.
 * - `copy`: the database is not the one that last controlled the bucket: it was restored, moved or upgraded with pg_upgrade.
 * - `behind`: the marker says what only another copy of the database knows.
 * - `unclaimed`: there is no marker, or one without a nonce.
 * - `other_installation`: the bucket belongs to another installation.
 * - `read_only`: by configuration.
 * - `newer_schema`: its database controls the bucket, but this process does not know all of its migrations.
 */
export type ControlState =
  'ok' | 'waiting' | 'copy' | 'behind' | 'unclaimed' | 'other_installation' | 'read_only' | 'newer_schema';

/** What the database knows about its control of the bucket. */
export interface InstallationRecord {
  readonly id: string;
  readonly nonce: string | null;
  /** Written to the marker next, or just now. */
  readonly nextNonce: string | null;
  /** Whether this is the database that last controlled the bucket, or a physical copy of it. */
  readonly isFamiliar: boolean;
  /** Whether its server has been running, and nothing has been claimed, for long enough that a running original would have advanced. */
  readonly isHeld: boolean;
  /** Whether the nonce was replaced since then: of several copies that have all waited, only one can. */
  readonly hasAdvanced: boolean;
  /** Whether the nonce should be replaced. */
  readonly isDue: boolean;
  /** Whether a newer version has migrated the database. */
  readonly isNewerSchema: boolean;
}

export function controlStateOf(record: InstallationRecord, marker: Marker | null): ControlState {
  if (marker === null) return 'unclaimed';
  if (marker.installationId !== record.id) return 'other_installation';
  if (marker.nonce === null) return 'unclaimed';
  if (record.nonce === null && record.nextNonce === null) return 'behind';
  if (!record.isFamiliar) return 'copy';
  if (marker.nonce !== record.nonce && marker.nonce !== record.nextNonce) return 'behind';
  if (!record.isHeld || !record.hasAdvanced) return 'waiting';
  return record.isNewerSchema ? 'newer_schema' : 'ok';
}

const CLAIM =
  'If this installation is the one that should go on, run: npm run cli -- storage:claim. Otherwise, give it a bucket of its own.';

interface Explanation {
  readonly cause: string;
  readonly fix: string;
}

/** For logs, the doctor and the command line. */
export const CONTROL_EXPLAINED: Readonly<Record<Exclude<ControlState, 'ok'>, Explanation>> = {
  waiting: {
    cause:
      'The database server was restarted or replaced, or the bucket was claimed, so deletions and deliveries are paused until it is ' +
      'certain that no other copy of the database uses the bucket.',
    fix: 'They resume by themselves after twice STORAGE_CONTROL_SECONDS.',
  },
  copy: {
    cause:
      'The database is a copy of the one that last controlled the bucket (restored, moved or upgraded), so nothing is deleted from the ' +
      'bucket and nothing is delivered.',
    fix: CLAIM,
  },
  behind: {
    cause:
      'Another copy of the database controls the bucket, so nothing is deleted from the bucket and nothing is delivered.',
    fix: CLAIM,
  },
  unclaimed: {
    cause:
      'The bucket has no marker, or an incomplete one, so nothing is deleted from the bucket and nothing is delivered.',
    fix: CLAIM,
  },
  other_installation: {
    cause:
      'The bucket belongs to another installation, so nothing is written to it, nothing is deleted from it and nothing is delivered.',
    fix: 'Set STORAGE_BUCKET_NAME to a separate bucket. If the other installation is gone for good, run: npm run cli -- storage:claim --take-over',
  },
  read_only: {
    cause:
      'STORAGE_READ_ONLY is set, so nothing is written to or deleted from the bucket, and nothing is delivered.',
    fix: 'Remove STORAGE_READ_ONLY and restart the service, unless this is intended.',
  },
  newer_schema: {
    cause:
      'The database was migrated by a newer version of the service, so this process deletes nothing from the bucket.',
    fix: 'Run the newer version everywhere.',
  },
};
