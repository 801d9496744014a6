import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Counts how often the decoders of a file were killed, which does not condemn it. */
export class DecoderKills1766200000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE upload_sessions ADD decoder_kills integer NOT NULL DEFAULT 0, ADD decode_after timestamptz;
      ALTER TABLE renditions ADD kills integer NOT NULL DEFAULT 0, DROP CONSTRAINT renditions_status_check,
        ADD CONSTRAINT renditions_status_check CHECK (status IN ('making', 'ready', 'failed', 'killed')) NOT VALID;
    `);
  }

  /** Renditions whose decoder was killed are then made when they are next requested. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE upload_sessions DROP decoder_kills, DROP decode_after;
      UPDATE renditions SET status = 'making', hold_until = NULL WHERE status = 'killed';
      ALTER TABLE renditions DROP kills, DROP CONSTRAINT renditions_status_check,
        ADD CONSTRAINT renditions_status_check CHECK (status IN ('making', 'ready', 'failed'));
    `);
  }
}
