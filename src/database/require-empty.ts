import type { QueryRunner } from 'typeorm';

/** Rejects reverting a migration that would lose rows. */
export async function requireEmpty(runner: QueryRunner, ...tables: string[]): Promise<void> {
  for (const table of tables) {
    await runner.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    const rows = (await runner.query(`SELECT 1 FROM ${table} LIMIT 1`)) as unknown[];
    if (rows.length > 0)
      throw new Error(
        `This migration cannot be reverted while there are rows in ${table}: they would be lost.`,
      );
  }
}
