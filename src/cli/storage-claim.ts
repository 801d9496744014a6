import { parseArgs } from 'node:util';
import { type BucketOwner, Installation, isOurs } from '../storage/installation.js';
import { withServices } from './context.js';

const SAYS: Record<BucketOwner, string> = {
  us: 'The bucket belongs to this installation.',
  taken_over:
    'The bucket belongs to this installation, which has taken it over. Objects without a record are reported and kept.',
  unverified:
    'The bucket belongs to this installation, but was claimed without permission to list it: it is never swept. ' +
    'If no other installation uses it, run the command again with --take-over.',
  another:
    'The bucket belongs to another installation. Give this one a bucket of its own (STORAGE_BUCKET_NAME).',
  nobody:
    'The bucket holds client objects and belongs to nobody. If no other installation uses it, run the command again with --take-over.',
};

const WARNING =
  'The bucket now belongs to this installation. Any other installation that uses it can no longer upload to it.\n' +
  'Objects that this database has no record of are reported and kept until "storage:reconcile --remove-unrecorded" is run.\n';

/** Marks the bucket as that of this installation; ends with an error when it is not. */
export async function storageClaim(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { 'take-over': { type: 'boolean' } } });
  await withServices(async (app) => {
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
