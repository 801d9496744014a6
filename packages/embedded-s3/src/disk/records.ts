import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isTemporary, unlinkIfPresent } from './durable-file.js';

const AT_ONCE = 64;

/** Reads every JSON record of a directory and removes the temporary files an interrupted write left there. */
export async function readRecords<T>(directory: string): Promise<T[]> {
  const records: T[] = [];
  const names = (await readdir(directory)).filter((name) => name.endsWith('.json') || isTemporary(name));
  for (let start = 0; start < names.length; start += AT_ONCE) {
    const paths = names.slice(start, start + AT_ONCE).map((name) => join(directory, name));
    const batch = await Promise.all(paths.map((path) => readRecord<T>(path)));
    for (const record of batch) if (record !== undefined) records.push(record);
  }
  return records;
}

/** A missing record is undefined. A damaged one prevents the start, because what it refers to must not be removed. */
export async function readRecord<T>(path: string): Promise<T | undefined> {
  if (isTemporary(path)) {
    await unlinkIfPresent(path);
    return undefined;
  }
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new Error(
      `The object store cannot read the record ${path}: move the file away to start without it.`,
    );
  }
}
