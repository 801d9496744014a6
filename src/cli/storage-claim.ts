import { parseArgs } from 'node:util';
import { BucketControl } from '../storage/bucket-control.js';
import { CONTROL_EXPLAINED, type ControlState } from '../storage/control.rules.js';
import { type BucketOwner, Installation, isOurs } from '../storage/installation.js';
import { withServices } from './context.js';

const SAYS: Record<BucketOwner, string> = {
  us: 'The bucket belongs to this installation.',
  taken_over:
    'The bucket belongs to this installation, which took it over. Objects without a database record are reported and kept.',
  unverified:
    'The bucket belongs to this installation, but was claimed without permission to list it, so unused objects are never removed. ' +
    'If no other installation uses it, run the command again with --take-over.',
  another:
    'The bucket belongs to another installation. Use a separate bucket for this one (STORAGE_BUCKET_NAME).',
  nobody:
    'The bucket contains client objects but belongs to no installation. If no other installation uses it, run the command again with --take-over.',
};

const TAKEN_OVER =
  'The bucket now belongs to this installation. Any other installation that uses it can no longer upload to it.\n' +
  'Objects without a record in this database are reported and kept until you run "storage:reconcile --remove-unrecorded".\n';

const CLAIMED =
  'This database now controls the bucket. Any other copy of it can still read and upload, but deletes and delivers nothing any more.\n' +
  'If the original is still in use, run this command there now: deletions and deliveries start here after twice STORAGE_CONTROL_SECONDS.\n';

const RACED =
  'The bucket was claimed by somebody else at the same time, or is in use by another copy of this database.\n' +
  'Find out which one should have the bucket, stop the other, and run the command again.\n';

/** Marks the bucket with the id of this installation, and makes this database the one that controls it. */
export async function storageClaim(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { 'take-over': { type: 'boolean' } } });
  const takeOver = values['take-over'] ?? false;
  await withServices([], async (app) => {
    const installation = app.get(Installation);
    const control = app.get(BucketControl);
    const before = await control.state().catch((): ControlState => 'unclaimed');
    if (before === 'read_only') throw new Error(CONTROL_EXPLAINED.read_only.cause);
    const wasControlled = !takeOver && ['ok', 'waiting', 'newer_schema'].includes(before);
    const owner = wasControlled ? await installation.check() : await installation.claim({ takeOver });
    if (owner === null) {
      process.stderr.write(RACED);
      process.exitCode = 1;
      return;
    }
    const isNew = isOurs(owner) && !wasControlled;
    process.stdout.write(takeOver ? TAKEN_OVER : `${SAYS[owner]}\n${isNew ? CLAIMED : ''}`);
    if (!isOurs(owner)) process.exitCode = 1;
  });
}
