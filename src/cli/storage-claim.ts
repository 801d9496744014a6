import { parseArgs } from 'node:util';
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

const WARNING =
  'The bucket now belongs to this installation. Any other installation that uses it can no longer upload to it.\n' +
  'Objects without a record in this database are reported and kept until you run "storage:reconcile --remove-unrecorded".\n';

/** Marks the bucket with the id of this installation. Exits with an error if it belongs to another one. */
export async function storageClaim(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { 'take-over': { type: 'boolean' } } });
  await withServices([], async (app) => {
    const installation = app.get(Installation);
    if (values['take-over']) {
      await installation.takeOver();
      process.stdout.write(WARNING);
      return;
    }
    const owner = await installation.check();
    process.stdout.write(`${SAYS[owner]}\n`);
    if (!isOurs(owner)) process.exitCode = 1;
  });
}
