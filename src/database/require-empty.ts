import type { QueryRunner } from 'typeorm';

/** Refuses to undo a migration that would lose rows: a `down` keeps what is known, or does not run. */
export async function requireEmpty(runner: QueryRunner, ...tables: string[]): Promise<void> {
  for (const table of tables) {
    await runner.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    const rows = (await runner.query(`SELECT 1 FROM ${table} LIMIT 1`)) as unknown[];
    if (rows.length > 0)
      throw new Error(
        `This migration cannot be undone while there are rows in ${table}: they would be lost.`,
      );
  }
}
