import { parseArgs } from 'node:util';
import { StorageService } from '../storage/storage.service.js';
import { withServices } from './context.js';

/** Sets the bucket's CORS policy, which browsers need to upload (specification, section 7). */
export async function storageCors(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { origin: { type: 'string', multiple: true } } });
  const origins = values.origin ?? [];
  const wrong = origins.find((origin) => !URL.canParse(origin) || new URL(origin).origin !== origin);
  if (origins.length === 0 || wrong !== undefined) {
    throw new Error(
      'Usage: storage:cors --origin https://admin.example.com [--origin https://portal.example.com …]',
    );
  }
  await withServices([], async (app) => {
    await app.get(StorageService).bucket.setCors(origins);
    process.stdout.write(`The bucket now accepts uploads from ${origins.join(', ')}\n`);
  });
}
