import type { QueryClient } from '@tanstack/react-query';
import { browserStorage, tabStorage } from '../browser/browser-storage';
import { refreshQueueOf } from '../events/refresh-queue';
import { Copies } from './engine/copies';
import { SessionMemory } from './engine/session-memory';
import { UploadEngine } from './engine/upload-engine';
import { uploadApiFor } from './upload-api';

export function startEngine(client: QueryClient, userId: string): UploadEngine {
  const refreshes = refreshQueueOf(client);
  return new UploadEngine({
    apiFor: uploadApiFor,
    memory: new SessionMemory(browserStorage()),
    copies: new Copies(tabStorage(), userId),
    onChanged: (basePath) => refreshes.add([basePath, 'assets'], [basePath, 'folders']),
  });
}
