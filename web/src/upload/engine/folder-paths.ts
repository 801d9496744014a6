import { callWithRetries, type Retries } from './retry';
import type { UploadApi, UploadTarget } from './types';

/** Creates the folders of dropped files, each once. */
export class FolderPaths {
  private readonly known = new Map<string, Promise<string>>();

  constructor(private readonly onCreated: (basePath: string) => void) {}

  resolve(
    api: UploadApi,
    { basePath, folderId }: UploadTarget,
    folders: readonly string[],
    retries: Retries,
  ): Promise<string | null> {
    if (folders.length === 0) return Promise.resolve(folderId);
    const path = folders.map((name) => name.normalize('NFC')).join('/');
    const key = [basePath, folderId ?? '', path].join('|');
    let resolving = this.known.get(key);
    if (!resolving) {
      resolving = callWithRetries(() => api.createFolders(path, folderId, retries.signal), retries);
      this.known.set(key, resolving);
      // Not kept after a failure, so that a retry sends the request again.
      resolving.then(
        () => this.onCreated(basePath),
        () => this.known.delete(key),
      );
    }
    return resolving;
  }

  /** A folder may have been trashed since. */
  forgetAll(): void {
    this.known.clear();
  }
}
