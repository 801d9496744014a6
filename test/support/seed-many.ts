import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { query } from './service.js';

const SQL = readFileSync(join(__dirname, '../../bench/support/seed-library.sql'), 'utf8');

/** Fills a database by SQL with clients `seeded-1`, `seeded-2`, … of equally many assets each, and analyses it. */
export async function seedMany(databaseUrl: string, clients: number, assets: number): Promise<void> {
  await query(databaseUrl, SQL.replaceAll(':clients', String(clients)).replaceAll(':assets', String(assets)));
  for (const table of ['folders', 'assets']) await query(databaseUrl, `VACUUM ANALYZE ${table}`);
}
