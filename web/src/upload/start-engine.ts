import type { QueryClient } from '@tanstack/react-query';
import { browserStorage } from '../app/browser-storage';
import { refreshQueueOf } from '../events/refresh-queue';
import { SessionMemory } from './engine/session-memory';
import { UploadEngine } from './engine/upload-engine';
import { uploadApiFor } from './upload-api';

export function startEngine(client: QueryClient): UploadEngine {
  const refreshes = refreshQueueOf(client);
  return new UploadEngine({
    apiFor: uploadApiFor,
    memory: new SessionMemory(browserStorage()),
    onChanged: (basePath) => refreshes.add([basePath, 'assets'], [basePath, 'folders']),
  });
}
