import type { MigrationInterface, QueryRunner } from 'typeorm';

export class UsersWithoutPassword1805900000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE users ALTER COLUMN password_hash DROP NOT NULL');
  }

  /** Fails while a user has no password. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE users ALTER COLUMN password_hash SET NOT NULL');
  }
}
