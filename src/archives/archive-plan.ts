import { open } from 'node:fs/promises';
import { originalKey } from '../storage/object-key.js';

/** A folder with its whole path, or a file in the folder before it. */
export type PlannedEntry =
  | { readonly path: string; readonly date: number }
  | {
      readonly name: string;
      readonly date: number;
      readonly sizeBytes: number;
      readonly assetId: string;
      readonly attempt: string;
    };

export interface ArchiveEntry {
  readonly path: string;
  readonly date: Date;
  /** Null for a folder. */
  readonly file: { readonly key: string; readonly sizeBytes: number } | null;
}

type Line = [path: string, date: number] | [name: string, date: number, number, string, string];

/** Writes the plan of an archive to a file, one entry per line, so that it is on disk and not in memory during the download. */
export async function writePlan<T>(
  path: string,
  plan: (write: (entries: readonly PlannedEntry[]) => Promise<void>) => Promise<T>,
): Promise<T> {
  const file = await open(path, 'w', 0o600);
  try {
    return await plan((entries) => file.appendFile(entries.map(toLine).join('')));
  } finally {
    await file.close();
  }
}

export async function* readPlan(path: string, clientId: string): AsyncGenerator<ArchiveEntry> {
  const file = await open(path);
  try {
    let folder = '';
    for await (const text of file.readLines()) {
      const [name, seconds, sizeBytes, assetId, attempt] = JSON.parse(text) as Line;
      const date = new Date(seconds * 1000);
      if (assetId === undefined) {
        folder = name;
        yield { path: folder, date, file: null };
      } else {
        yield {
          path: folder + name,
          date,
          file: { key: originalKey(clientId, assetId, attempt!), sizeBytes: sizeBytes! },
        };
      }
    }
  } finally {
    await file.close();
  }
}

function toLine(entry: PlannedEntry): string {
  const line: Line =
    'path' in entry
      ? [entry.path, entry.date]
      : [entry.name, entry.date, entry.sizeBytes, entry.assetId, entry.attempt];
  return `${JSON.stringify(line)}\n`;
}
