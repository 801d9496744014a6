import { query } from '../services/service.js';

/** A backup of a database that nobody is connected to: a copy on the same server. Returns its address. */
export async function copyDatabase(url: string): Promise<string> {
  const copy = new URL(url);
  const name = copy.pathname.slice(1);
  copy.pathname = `/${name}_backup`;
  await query(process.env['TEST_DATABASE_URL']!, `CREATE DATABASE ${name}_backup TEMPLATE ${name}`);
  return copy.toString();
}
