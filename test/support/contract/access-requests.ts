import type { Api } from '../api/api.js';
import { type Json, PICTURE } from '../api/library.js';

/** An operation of the API. `rule` is the permission it requires, `public` or `authenticated`. */
export interface Route {
  readonly method: string;
  readonly path: string;
  readonly rule: string;
  /** Whether pickers in other pages can use it. */
  readonly inPicker: boolean;
}

export async function routesOf(api: Api): Promise<Route[]> {
  const { body } = await api.get('/openapi.json');
  return Object.entries<Record<string, Json>>(body.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      rule: operation['x-permission'],
      inPicker: operation['x-picker'] === true,
    })),
  );
}

/** The key of a route in `BODIES`. */
export const keyOf = ({ method, path }: Route) =>
  `${method} ${path.replace(/^(\/admin\/clients\/\{clientId\}|\/portal)\/assets/, 'P')}`;

export const fillIn = (path: string, things: Things) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => things[name as keyof Things] ?? NAMES[name]!);

/** The ids of one client's records. */
export interface Things {
  clientId: string;
  assetId: string;
  assetRef: string;
  folderId: string;
  sessionId: string;
  uploadToken: string;
  batchId: string;
  keyId: string;
  userId: string;
  targetId: string;
  deliveryId: string;
}

/** Ids of records that need not exist to be requested. */
export const NAMES: Record<string, string> = {
  agentId: 'some-agent',
  archiveId: '0198a3c4-7b1e-7cc0-8f5e-2f5d1c9a7b10',
  connectionId: 'some-connection',
  kind: 'seo_post',
  externalId: 'some-post',
  provider: 'google',
  slug: 'some-page',
  signInId: '0198a3c4-7b1e-7cc0-8f5e-2f5d1c9a7b10',
};

/** Requests that would actually change or return something if they were allowed. P is either side. */
export const BODIES: Record<string, (things: Things) => unknown> = {
  'GET P': () => undefined,
  'GET P/tags': () => undefined,
  'POST P/archive': ({ assetId }) => ({ assetIds: [assetId] }),
  'GET P/archive/{archiveId}': () => undefined,
  'GET P/creators': () => undefined,
  'POST P/bulk': ({ assetId }) => ({ assetIds: [assetId], action: 'trash' }),
  'PATCH P': ({ assetId }) => ({ assets: [{ assetId, title: 'New title' }] }),
  'GET P/{assetId}': () => undefined,
  'PATCH P/{assetId}': () => ({ title: 'Changed' }),
  'DELETE P/{assetId}': () => undefined,
  'GET P/{assetId}/download': () => undefined,
  'GET P/{assetId}/preview': () => undefined,
  'GET P/{assetId}/fitness': () => undefined,
  'GET P/{assetId}/usages': () => undefined,
  'GET P/{assetId}/activity': () => undefined,
  'GET P/folders': () => undefined,
  'POST P/folders': () => ({ name: 'New' }),
  'PATCH P/folders': ({ folderId }) => ({ folderId, name: 'Changed' }),
  'DELETE P/folders': ({ folderId }) => ({ folderId }),
  'GET P/folders/download': () => undefined,
  'GET P/trash': () => undefined,
  'GET P/trash/{assetId}/preview': () => undefined,
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
  'GET /admin/audit': () => undefined,
  'GET /admin/clients/{clientId}/audit': () => undefined,
  'GET /portal/audit': () => undefined,
  'GET /admin/clients/{clientId}/events': () => undefined,
  'GET /portal/events': () => undefined,
  'GET /admin/users': () => undefined,
  'POST /admin/users': () => ({
    email: 'x@y.example',
    password: 'long-enough-password',
    name: 'X',
    role: 'owner',
  }),
  'PATCH /admin/users/{userId}': () => ({ role: 'owner' }),
  'POST /admin/users/{userId}/reset-link': () => undefined,
  'GET /admin/api-keys': () => undefined,
  'POST /admin/api-keys': () => ({ name: 'X', role: 'owner', clientIds: null }),
  'DELETE /admin/api-keys/{keyId}': () => undefined,
  'POST /admin/picker-tokens': ({ clientId }) => ({ clientId, uploads: true }),
  'POST /auth/picker': () => ({}),
  'POST /auth/login': () => ({}),
  'POST /auth/refresh': () => ({}),
  'POST /auth/token': () => ({}),
  'POST /auth/logout': () => ({ nonsense: true }),
  'GET /auth/me': () => undefined,
  'PATCH /auth/me': () => ({ name: '' }),
  'GET /auth/options': () => undefined,
  'POST /auth/invitations/check': () => ({}),
  'POST /auth/invitations/accept': () => ({}),
  'POST /auth/password/forgot': () => ({}),
  'GET /auth/sign-ins': () => undefined,
  'DELETE /auth/sign-ins': () => undefined,
  'DELETE /auth/sign-ins/{signInId}': () => undefined,
  'POST /auth/password': () => ({}),
  'GET /admin/clients/{clientId}/ads-connections': () => undefined,
  'GET /admin/clients/{clientId}/landing-pages': () => undefined,
  'GET /admin/clients/{clientId}/seo-agents': () => undefined,
  'POST /admin/clients/{clientId}/landing-pages': () => ({
    slug: 'new',
    url: 'https://x.example/',
    name: 'New',
  }),
  'GET /admin/clients/{clientId}/targets': () => undefined,
  'POST /admin/clients/{clientId}/targets': () => ({
    kind: 'http',
    name: 'New',
    url: 'http://127.0.0.1:1/',
    method: 'PUT',
  }),
  'GET /admin/clients/{clientId}/targets/{targetId}': () => undefined,
  'PATCH /admin/clients/{clientId}/targets/{targetId}': () => ({ name: 'Changed' }),
  'DELETE /admin/clients/{clientId}/targets/{targetId}': () => undefined,
  'POST /admin/clients/{clientId}/targets/{targetId}/verify': () => undefined,
  'PUT /admin/clients/{clientId}/integrations/{kind}': () => ({ name: 'X', state: 'connected' }),
  'POST /admin/diagnostics/storage': () => ({}),
  'GET /admin/seo/agents/{agentId}/runtime': () => undefined,
  'PUT /agents/seo/{agentId}/runtime': ({ clientId }) => ({ clientId, state: 'idle' }),
  'GET /admin/{provider}-ads/connections/{connectionId}': () => undefined,
  'PUT /admin/{provider}-ads/connections/{connectionId}': ({ clientId }) => ({
    clientId,
    state: 'connected',
  }),
  'GET /admin/clients/{clientId}/deliveries': () => undefined,
  'POST /admin/clients/{clientId}/deliveries': ({ assetRef, targetId }) => ({
    assetRef,
    targetId,
    surface: 'website',
  }),
  'POST /admin/clients/{clientId}/deliveries/batch': ({ assetRef, targetId }) => ({
    assetRefs: [assetRef],
    targetId,
    surface: 'website',
  }),
  'GET /admin/clients/{clientId}/deliveries/{deliveryId}': () => undefined,
  'POST /admin/clients/{clientId}/deliveries/{deliveryId}/retry': () => undefined,
  'POST /admin/clients/{clientId}/deliveries/{deliveryId}/cancel': () => undefined,
  'POST /agents/clients/{clientId}/deliveries': ({ assetRef, targetId }) => ({
    assetRef,
    targetId,
    surface: 'website',
  }),
  'GET /agents/clients/{clientId}/deliveries/{deliveryId}': () => undefined,
  'POST /agents/clients/{clientId}/assets/resolve': ({ assetRef }) => ({
    assetRefs: [assetRef],
    surface: 'website',
  }),
  'GET /agents/clients/{clientId}/assets/{assetRef}/content': () => undefined,
  'PUT /agents/clients/{clientId}/references/{kind}/{externalId}': ({ assetRef }) => ({
    featuredAssetRef: assetRef,
  }),
  'GET /agents/clients/{clientId}/references/{kind}/{externalId}': () => undefined,
  'DELETE /agents/clients/{clientId}/references/{kind}/{externalId}': () => undefined,
  'POST /agents/clients/{clientId}/social/posted': ({ assetRef }) => ({
    assetRef,
    platform: 'instagram',
    postUrl: 'https://instagram.example/p/1',
  }),
  'GET /agents/clients/{clientId}/social/folders': () => undefined,
  'POST /agents/clients/{clientId}/social/folders': () => ({ name: 'New' }),
  'PATCH /agents/clients/{clientId}/social/folders': ({ folderId }) => ({ folderId, name: 'Changed' }),
  'DELETE /agents/clients/{clientId}/social/folders': ({ folderId }) => ({ folderId }),
  'POST /agents/clients/{clientId}/assets/pick': () => ({ surface: 'website' }),
  'POST /agents/mcp': () => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'find_assets', arguments: { surface: 'website' } },
  }),
  'GET /agents/mcp': () => undefined,
  'DELETE /agents/mcp': () => undefined,
  'GET /lp-api/{slug}': () => undefined,
  'GET /metrics': () => undefined,
  'GET /status': () => undefined,
  'GET /healthz': () => undefined,
  'GET /readyz': () => undefined,
};
