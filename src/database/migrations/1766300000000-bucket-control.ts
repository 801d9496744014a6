import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Tells the database that controls the bucket from its copies, which have the same installation id. `nonce` is what the bucket's marker
 * should say, `next_nonce` what it may already say. The rest is which database and server last controlled the bucket, and since when.
 */
export class BucketControl1766300000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE installation ADD nonce text, ADD next_nonce text, ADD advanced_at timestamptz,
        ADD database_identity text, ADD server_started_at timestamptz, ADD held_since timestamptz;
    `);
  }

  /** Needs one `storage:claim` after the next `up`. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE installation DROP nonce, DROP next_nonce, DROP advanced_at,
        DROP database_identity, DROP server_started_at, DROP held_since;
    `);
  }
}
