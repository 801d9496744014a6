import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Only trashed folders have a batch id; the assets in them no longer do, so that trashing and restoring change only folders. */
export class TrashedFolders1763600000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE assets SET batch_id = NULL FROM folders
       WHERE folders.client_id = assets.client_id AND folders.id = assets.folder_id AND folders.batch_id = assets.batch_id;

      CREATE INDEX trash_batches_purging ON trash_batches (client_id, id) WHERE purging_since IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX trash_batches_purging;

      UPDATE assets SET batch_id = folders.batch_id FROM folders
       WHERE folders.client_id = assets.client_id AND folders.id = assets.folder_id
         AND folders.batch_id IS NOT NULL AND assets.batch_id IS NULL;
    `);
  }
}
