import type { QueryClient } from '@tanstack/react-query';
import { refreshQueueOf } from '../events/refresh-queue';
import { SessionMemory } from './engine/session-memory';
import { UploadEngine } from './engine/upload-engine';
import { uploadApiFor } from './upload-api';

export function startEngine(client: QueryClient): UploadEngine {
  const refreshes = refreshQueueOf(client);
  return new UploadEngine({
    apiFor: uploadApiFor,
    memory: new SessionMemory(localStorageIfAllowed()),
    onChanged: (basePath) => refreshes.add([basePath, 'assets'], [basePath, 'folders']),
  });
}

/** Some browsers refuse it altogether, by setting or in a frame. */
function localStorageIfAllowed(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}
