import { parseArgs } from 'node:util';
import { ReconcileJob } from '../sweeper/reconcile.job.js';
import { SweeperModule } from '../sweeper/sweeper.module.js';
import { withServices } from './context.js';

/** Does what the worker does every night. With --remove-unrecorded, also after a restored backup. */
export async function storageReconcile(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { 'remove-unrecorded': { type: 'boolean' } } });
  await withServices([SweeperModule], async (app) => {
    const removeUnrecorded = values['remove-unrecorded'] ?? false;
    const report = await app.get(ReconcileJob).reconcile({ removeUnrecorded }, new AbortController().signal);
    for (const [name, value] of Object.entries(report)) process.stdout.write(`${name}: ${value}\n`);
  });
}
