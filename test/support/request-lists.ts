import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface RequestLists {
  /** The number of request classes. */
  readonly requests: number;
  readonly lists: readonly {
    readonly list: string;
    readonly limit: number | string | null;
    /** Inside an element of another list. */
    readonly nested: boolean;
  }[];
}

/** Every list that a request to the built application can contain. */
export async function requestLists(): Promise<RequestLists> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    join(__dirname, 'print-request-lists.mjs'),
  ]);
  return JSON.parse(stdout) as RequestLists;
}
