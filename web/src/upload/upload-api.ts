import { apiFor, body } from '../api/client';
import type { UploadApi } from './engine/types';

const TRASHED_AT_A_TIME = 500;

/** The upload routes of one client's library. */
export function uploadApiFor(basePath: string): UploadApi {
  const api = apiFor(basePath);
  const sessionPath = (sessionId: string) => ({ params: { path: { sessionId } } });
  return {
    open: (request, signal) => sessionOf(api.POST('/assets/upload-session', { body: request, signal })),
    renew: (sessionId, signal) =>
      sessionOf(api.POST('/assets/upload-session/{sessionId}/renew', { ...sessionPath(sessionId), signal })),
    async isUploaded(sessionId, signal) {
      const options = { ...sessionPath(sessionId), signal };
      return (await body(api.GET('/assets/upload-session/{sessionId}', options))).uploaded;
    },
    async cancel(sessionId) {
      await api.DELETE('/assets/upload-session/{sessionId}', sessionPath(sessionId));
    },
    finalize: (uploadToken, parts, signal) =>
      body(
        api.POST('/assets/upload-session/finalize', {
          body: parts ? { uploadToken, parts: [...parts] } : { uploadToken },
          signal,
        }),
      ),
    async createFolders(path, parentId, signal) {
      const created = await body(api.POST('/assets/folders', { body: { path, parentId }, signal }));
      return created.folderId;
    },
    async trash(assetIds) {
      for (let start = 0; start < assetIds.length; start += TRASHED_AT_A_TIME) {
        const some = assetIds.slice(start, start + TRASHED_AT_A_TIME);
        await api.POST('/assets/bulk', { body: { action: 'trash', assetIds: some } });
      }
    },
  };
}

async function sessionOf<Session>(request: Promise<{ data?: Session; response: Response }>) {
  const { data, response } = await request;
  return { ...(data as Session), requestId: response.headers.get('X-Request-Id') };
}
