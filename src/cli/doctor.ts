import { parseArgs } from 'node:util';
import { StorageDoctor } from '../diagnostics/doctor/storage-doctor.js';
import type { DoctorStep } from '../common/diagnosis.dto.js';
import { DoctorModule } from '../diagnostics/doctor/doctor.module.js';
import { withServices } from './context.js';

/** The storage doctor on the command line. Exits with an error if a check fails. */
export async function doctor(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { origin: { type: 'string' } } });
  await withServices([DoctorModule], async (app) => {
    const { ok, steps } = await app.get(StorageDoctor).examine(values.origin);
    for (const step of steps) process.stdout.write(`${describe(step)}\n`);
    if (!ok) process.exitCode = 1;
  });
}

function describe({ step, ok, skipped, cause, fix }: DoctorStep): string {
  if (skipped) return `- ${step} (skipped)`;
  return ok ? `✓ ${step}` : `✗ ${step}\n    ${cause}\n    ${fix}`;
}
