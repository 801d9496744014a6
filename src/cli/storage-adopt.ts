import { parseArgs } from 'node:util';
import { JobsModule } from '../jobs/jobs.module.js';
import { AdoptionModule } from '../uploads/adoption/adoption.module.js';
import { AdoptionService } from '../uploads/adoption/adoption.service.js';
import { withServices } from './context.js';

const DRY_RUN =
  'Nothing was changed. With --apply, these files become assets again, in the trash of their client, from where you can restore them for ' +
  '30 days (TRASH_RETENTION_SECONDS). Most file names, titles and folders are lost.\n';
const FAILED = 'Some files could not be read or checked. Run the command again.';

/** Makes assets of originals that have no record, for example after a restored backup. Can be repeated, and run while the service runs. */
export async function storageAdopt(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { client: { type: 'string' }, apply: { type: 'boolean' } } });
  const { apply = false, client } = values;
  await withServices([JobsModule, AdoptionModule], async (app) => {
    const options = { apply, clientId: client ?? null };
    const report = await app.get(AdoptionService).adopt(options, new AbortController().signal);
    const { found, unknownClients, rejectedFiles, ...counts } = report;
    const write = (line: string) => process.stdout.write(`${line}\n`);
    for (const [clientId, files] of found) write(`${clientId}: ${files} without a record`);
    for (const [clientId, files] of unknownClients)
      write(`${clientId}: ${files} of an unknown client; to adopt them, create a client with this id`);
    for (const { key, reason } of rejectedFiles) write(`${key}: ${reason}`);
    for (const [name, value] of Object.entries(counts)) write(`${name}: ${value}`);
    if (!apply && counts.files > 0) process.stdout.write(DRY_RUN);
    if (counts.failed > 0) throw new Error(FAILED);
  });
}
