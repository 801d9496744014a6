import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { databaseProblem } from '../common/errors/database-errors.js';
import { logger } from '../common/logging/logger.js';

const PATIENCE_MS = 60_000;

/** Waits for a database that is still starting. All other errors are reported immediately. */
export async function connectWithRetry(dataSource: DataSource): Promise<DataSource> {
  for (const deadline = Date.now() + PATIENCE_MS; ; await delay(1_000)) {
    try {
      return await dataSource.initialize();
    } catch (error) {
      if (databaseProblem(error) === null || Date.now() > deadline) throw error;
      logger.warn({ err: error }, 'database is not reachable yet, retrying');
    }
  }
}
