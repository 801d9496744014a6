import { PICTURE } from './library.js';

/** The ids of one client's things. */
export interface Things {
  clientId: string;
  assetId: string;
  folderId: string;
  sessionId: string;
  uploadToken: string;
  batchId: string;
  keyId: string;
  userId: string;
}

/** Names of things that need not exist to be asked for. */
export const NAMES: Record<string, string> = {
  agentId: 'some-agent',
  connectionId: 'some-connection',
  kind: 'wordpress',
  provider: 'google',
  slug: 'some-page',
};

/** What would really change or show something, if it got through. P stands for either side. */
export const BODIES: Record<string, (things: Things) => unknown> = {
  'GET P': () => undefined,
  'GET P/tags': () => undefined,
  'POST P/bulk': ({ assetId }) => ({ assetIds: [assetId], action: 'trash' }),
  'GET P/{assetId}': () => undefined,
  'PATCH P/{assetId}': () => ({ title: 'Changed' }),
  'DELETE P/{assetId}': () => undefined,
  'GET P/{assetId}/download': () => undefined,
  'GET P/{assetId}/preview': () => undefined,
  'GET P/folders': () => undefined,
  'POST P/folders': () => ({ name: 'New' }),
  'PATCH P/folders': ({ folderId }) => ({ folderId, name: 'Changed' }),
  'DELETE P/folders': ({ folderId }) => ({ folderId }),
  'GET P/folders/download': () => undefined,
  'GET P/trash': () => undefined,
  'POST P/trash/restore': ({ batchId }) => ({ batchId }),
  'DELETE P/trash': ({ batchId }) => ({ batchId }),
  'POST P/upload-session': () => ({
    originalFilename: 'a.png',
    mimeType: 'image/png',
    expectedSizeBytes: PICTURE.length,
  }),
  'GET P/upload-session/{sessionId}': () => undefined,
  'DELETE P/upload-session/{sessionId}': () => undefined,
  'POST P/upload-session/{sessionId}/renew': () => undefined,
  'POST P/upload-session/finalize': ({ uploadToken }) => ({ uploadToken }),
  'GET /admin/clients': () => undefined,
  'POST /admin/clients': () => ({ name: 'New' }),
  'GET /admin/clients/{clientId}': () => undefined,
  'PATCH /admin/clients/{clientId}': () => ({ name: 'Changed' }),
  'GET /admin/clients/{clientId}/audit': () => undefined,
  'GET /admin/users': () => undefined,
  'POST /admin/users': () => ({
    email: 'x@y.example',
    password: 'long-enough-password',
    name: 'X',
    role: 'owner',
  }),
  'PATCH /admin/users/{userId}': () => ({ role: 'owner' }),
  'GET /admin/api-keys': () => undefined,
  'POST /admin/api-keys': () => ({ name: 'X', role: 'owner', clientIds: null }),
  'DELETE /admin/api-keys/{keyId}': () => undefined,
  'POST /auth/login': () => ({}),
  'POST /auth/refresh': () => ({}),
  'POST /auth/token': () => ({}),
  'POST /auth/logout': () => ({ nonsense: true }),
  'GET /auth/me': () => undefined,
  'POST /auth/password': () => ({}),
  'GET /admin/clients/{clientId}/landing-pages': () => undefined,
  'POST /admin/clients/{clientId}/landing-pages': () => ({
    slug: 'new',
    url: 'https://x.example/',
    name: 'New',
  }),
  'PUT /admin/clients/{clientId}/integrations/{kind}': () => ({ name: 'X', state: 'connected' }),
  'POST /admin/diagnostics/storage': () => ({}),
  'GET /admin/seo/agents/{agentId}/runtime': () => undefined,
  'PUT /agents/seo/{agentId}/runtime': ({ clientId }) => ({ clientId, state: 'idle' }),
  'GET /admin/{provider}-ads/connections/{connectionId}': () => undefined,
  'PUT /admin/{provider}-ads/connections/{connectionId}': ({ clientId }) => ({
    clientId,
    state: 'connected',
  }),
  'GET /lp-api/{slug}': () => undefined,
  'GET /metrics': () => undefined,
  'GET /status': () => undefined,
  'GET /healthz': () => undefined,
  'GET /readyz': () => undefined,
};
