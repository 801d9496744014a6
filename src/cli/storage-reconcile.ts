import { parseArgs } from 'node:util';
import { ReconcileJob } from '../sweeper/reconcile.job.js';
import { BucketControl } from '../storage/bucket-control.js';
import { CONTROL_EXPLAINED } from '../storage/control.rules.js';
import { SweeperModule } from '../sweeper/sweeper.module.js';
import { withServices } from './context.js';

const HOW_TO_ADOPT =
  'Some objects have no record. To see which of them can become assets again, run: npm run cli -- storage:adopt\n';

/** Does what the worker does every night, and reports objects of any age. With --remove-unrecorded, also after a restored backup. */
export async function storageReconcile(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { 'remove-unrecorded': { type: 'boolean' } } });
  await withServices([SweeperModule], async (app) => {
    const options = { removeUnrecorded: values['remove-unrecorded'] ?? false, anyAge: true };
    const state = await app.get(BucketControl).state();
    const report = await app.get(ReconcileJob).reconcile(options, new AbortController().signal);
    for (const [name, value] of Object.entries(report)) process.stdout.write(`${name}: ${value}\n`);
    if (report.unrecorded > 0) process.stdout.write(HOW_TO_ADOPT);
    if (state === 'ok') return;
    const { cause, fix } = CONTROL_EXPLAINED[state];
    process.stderr.write(`Nothing was removed. ${cause} ${fix}\n`);
  });
}
