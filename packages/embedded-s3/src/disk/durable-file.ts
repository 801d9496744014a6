import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';

const TEMPORARY = '.tmp';

export function isTemporary(name: string): boolean {
  return name.endsWith(TEMPORARY);
}

/** Replaces a small file so that readers, and the next start after a crash, see either the complete old or the complete new text. */
export async function writeDurably(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomUUID()}${TEMPORARY}`;
  try {
    const file = await open(temporary, 'wx');
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncDirectory(dirname(path));
}

export async function makeDirectory(path: string): Promise<void> {
  await mkdir(path, { recursive: true });
  await syncDirectory(dirname(path));
}

export async function unlinkIfPresent(path: string): Promise<void> {
  await unlink(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

/** A created, renamed or removed name survives a power failure only after its directory has been synced. */
export async function syncDirectory(path: string): Promise<void> {
  // Windows cannot open directories, and journals their entries itself.
  if (process.platform === 'win32') return;
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
