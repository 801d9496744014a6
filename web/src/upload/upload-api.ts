import { apiFor, body } from '../api/client';
import { ApiProblem } from '../api/problem';
import type { UploadApi } from './engine/types';

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
    async trashCopies(assetIds) {
      const kept: string[] = [];
      for (let rest = [...assetIds]; rest.length > 0;) {
        try {
          const trash = { action: 'trash', copiesOnly: true, assetIds: rest } as const;
          const { batchId = null } = await body(api.POST('/assets/bulk', { body: trash }));
          return { trashed: rest, kept, batchId };
        } catch (error) {
          const refused = refusedIn(error);
          if (refused.size === 0) throw error;
          // Those that do not exist any more are neither kept nor trashed.
          kept.push(...rest.filter((id) => refused.has(id) && refused.get(id) !== 'asset_not_found'));
          rest = rest.filter((id) => !refused.has(id));
        }
      }
      return { trashed: [], kept, batchId: null };
    },
  };
}

async function sessionOf<Session>(request: Promise<{ data?: Session; response: Response }>) {
  const { data, response } = await request;
  return { ...(data as Session), requestId: response.headers.get('X-Request-Id') };
}

/** The assets because of which nothing was trashed, with the reason. */
function refusedIn(error: unknown): Map<string, string | undefined> {
  if (!(error instanceof ApiProblem) || error.code !== 'bulk_failed') return new Map();
  const { results = [] } = error.document as { results?: { assetId: string; ok: boolean; code?: string }[] };
  return new Map(results.filter(({ ok }) => !ok).map(({ assetId, code }) => [assetId, code]));
}
