import type { QueryClient } from '@tanstack/react-query';
import { browserStorage, tabStorage } from '../browser/browser-storage';
import { refreshQueueOf } from '../events/refresh-queue';
import { Copies } from './engine/copies';
import { SessionMemory } from './engine/session-memory';
import type { FinalizedAsset } from './engine/types';
import { UploadEngine } from './engine/upload-engine';
import { uploadApiFor } from './upload-api';

/** With `onUploaded`, the caller decides what to do with what has been uploaded, and the user is not asked about copies. */
export function startEngine(
  client: QueryClient,
  userId: string,
  onUploaded?: (asset: FinalizedAsset) => void,
): UploadEngine {
  const refreshes = refreshQueueOf(client);
  return new UploadEngine({
    apiFor: uploadApiFor,
    memory: new SessionMemory(browserStorage()),
    copies: onUploaded ? null : new Copies(tabStorage(), userId),
    onChanged: (basePath) => refreshes.add([basePath, 'assets'], [basePath, 'folders']),
    onUploaded,
  });
}
