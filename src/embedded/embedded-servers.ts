import type { startPostgres } from '@asset-library/embedded-postgres';
import type { startObjectStoreThread } from '@asset-library/embedded-s3';
import { StartError } from '../common/errors/start-error.js';

export interface EmbeddedServers {
  startPostgres: typeof startPostgres;
  startObjectStoreThread: typeof startObjectStoreThread;
}

/** Loads the two packages, which a production install does not contain. */
export async function loadEmbeddedServers(): Promise<EmbeddedServers> {
  try {
    const [postgres, store] = await Promise.all([
      import('@asset-library/embedded-postgres'),
      import('@asset-library/embedded-s3'),
    ]);
    return {
      startPostgres: postgres.startPostgres,
      startObjectStoreThread: store.startObjectStoreThread,
    };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new StartError(
      'DATABASE_URL is not set, and the embedded Postgres and object store are not installed: a production install leaves ' +
        'them out. Set DATABASE_URL and the STORAGE_ settings (see .env.example), or run `npm start` in a clone, which ' +
        `installs and builds everything. (${(error as Error).message})`,
      { cause: error },
    );
  }
}
