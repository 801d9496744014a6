import { parseArgs } from 'node:util';
import { StorageDoctor } from '../diagnostics/doctor/storage-doctor.js';
import { DoctorModule } from '../diagnostics/doctor/doctor.module.js';
import { withServices } from './context.js';

/** The storage doctor on the command line. Exits with an error if a check fails. */
export async function doctor(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { origin: { type: 'string' } } });
  await withServices([DoctorModule], async (app) => {
    const { ok, steps } = await app.get(StorageDoctor).examine(values.origin);
    for (const { step, ok: fine, cause, fix } of steps) {
      process.stdout.write(`${fine ? '✓' : '✗'} ${step}${fine ? '' : `\n    ${cause}\n    ${fix}`}\n`);
    }
    if (!ok) process.exitCode = 1;
  });
}
