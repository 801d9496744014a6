import type { MigrationInterface, QueryRunner } from 'typeorm';
import { StartError } from '../../common/errors/start-error.js';
import { ASSET_COUNTS } from './baseline/asset-counts.js';
import { CLIENTS_AND_USERS } from './baseline/clients-and-users.js';
import { DELIVERIES } from './baseline/deliveries.js';
import { DIAGNOSTICS } from './baseline/diagnostics.js';
import { LIBRARY } from './baseline/library.js';
import { NOTIFICATIONS } from './baseline/notifications.js';
import { REPLACED } from './baseline/replaced-migrations.js';
import { TYPEORM_METADATA } from './baseline/typeorm-metadata.js';
import { UPLOADS } from './baseline/uploads.js';
import { USAGES } from './baseline/usages.js';

const SCHEMA = [
  CLIENTS_AND_USERS,
  LIBRARY,
  ASSET_COUNTS,
  UPLOADS,
  USAGES,
  DELIVERIES,
  DIAGNOSTICS,
  NOTIFICATIONS,
  TYPEORM_METADATA,
];

/** The whole schema. A database that has it from the migrations before this one keeps it, and only records the baseline instead. */
export class Baseline1763000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const replaced = (await runner.query('SELECT name FROM migrations WHERE name = ANY($1)', [
      REPLACED,
    ])) as unknown[];
    if (replaced.length === 0) {
      for (const subject of SCHEMA) await runner.query(subject);
    } else if (replaced.length === REPLACED.length) {
      await runner.query('DELETE FROM migrations WHERE name = ANY($1)', [REPLACED]);
    } else
      throw new StartError(
        `The database has ${replaced.length} of the ${REPLACED.length} migrations of version 0.1.0 and cannot be upgraded directly. ` +
          'First start version 0.1.0 with it once, which runs the others.',
      );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('The baseline cannot be reverted: drop the database instead.'));
  }
}
