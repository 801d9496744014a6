import { listRouteRules } from '../support/contract/route-rules.js';

/** Every route with its rule. A new or widened route must appear here, and therefore in review, as a changed line. */
const ROUTES = `
DELETE /admin/api-keys/:keyId                                                     api-keys:manage
DELETE /admin/clients/:clientId/assets/:assetId                                   assets:write
DELETE /admin/clients/:clientId/assets/folders                                    assets:write
DELETE /admin/clients/:clientId/assets/trash                                      assets:write
DELETE /admin/clients/:clientId/assets/upload-session/:sessionId                  assets:write
DELETE /admin/clients/:clientId/targets/:targetId                                 targets:manage
DELETE /agents/clients/:clientId/references/:kind/:externalId                     references:write
DELETE /agents/clients/:clientId/social/folders                                   social:organize
DELETE /agents/mcp                                                                assets:resolve
DELETE /auth/sign-ins                                                             authenticated
DELETE /auth/sign-ins/:signInId                                                   authenticated
DELETE /portal/assets/:assetId                                                    assets:write
DELETE /portal/assets/folders                                                     assets:write
DELETE /portal/assets/trash                                                       assets:write
DELETE /portal/assets/upload-session/:sessionId                                   assets:write
GET    /admin/:provider-ads/connections/:connectionId                             diagnostics:read
GET    /admin/api-keys                                                            api-keys:manage
GET    /admin/audit                                                               audit:read-all
GET    /admin/clients                                                             clients:read
GET    /admin/clients/:clientId                                                   clients:read
GET    /admin/clients/:clientId/ads-connections                                   diagnostics:read
GET    /admin/clients/:clientId/assets                                            assets:read
GET    /admin/clients/:clientId/assets/:assetId                                   assets:read
GET    /admin/clients/:clientId/assets/:assetId/activity                          audit:read
GET    /admin/clients/:clientId/assets/:assetId/download                          assets:read
GET    /admin/clients/:clientId/assets/:assetId/fitness                           assets:read
GET    /admin/clients/:clientId/assets/:assetId/preview                           assets:read
GET    /admin/clients/:clientId/assets/:assetId/usages                            assets:read
GET    /admin/clients/:clientId/assets/archive/:archiveId                         assets:read
GET    /admin/clients/:clientId/assets/creators                                   assets:read
GET    /admin/clients/:clientId/assets/folders                                    assets:read
GET    /admin/clients/:clientId/assets/folders/download                           assets:read
GET    /admin/clients/:clientId/assets/tags                                       assets:read
GET    /admin/clients/:clientId/assets/trash                                      assets:read
GET    /admin/clients/:clientId/assets/trash/:assetId/preview                     assets:read
GET    /admin/clients/:clientId/assets/upload-session/:sessionId                  assets:write
GET    /admin/clients/:clientId/audit                                             audit:read
GET    /admin/clients/:clientId/deliveries                                        deliveries:read
GET    /admin/clients/:clientId/deliveries/:deliveryId                            deliveries:read
GET    /admin/clients/:clientId/events                                            assets:read
GET    /admin/clients/:clientId/landing-pages                                     diagnostics:read
GET    /admin/clients/:clientId/seo-agents                                        diagnostics:read
GET    /admin/clients/:clientId/targets                                           targets:read
GET    /admin/clients/:clientId/targets/:targetId                                 targets:read
GET    /admin/seo/agents/:agentId/runtime                                         diagnostics:read
GET    /admin/users                                                               portal-users:manage
GET    /agents/clients/:clientId/assets/:assetRef/content                         assets:resolve
GET    /agents/clients/:clientId/deliveries/:deliveryId                           deliveries:read
GET    /agents/clients/:clientId/references/:kind/:externalId                     assets:resolve
GET    /agents/clients/:clientId/social/folders                                   social:organize
GET    /agents/mcp                                                                assets:resolve
GET    /auth/me                                                                   authenticated
GET    /auth/options                                                              public
GET    /auth/sign-ins                                                             authenticated
GET    /healthz                                                                   public
GET    /lp-api/:slug                                                              public
GET    /metrics                                                                   public
GET    /portal/assets                                                             assets:read
GET    /portal/assets/:assetId                                                    assets:read
GET    /portal/assets/:assetId/activity                                           audit:read
GET    /portal/assets/:assetId/download                                           assets:read
GET    /portal/assets/:assetId/fitness                                            assets:read
GET    /portal/assets/:assetId/preview                                            assets:read
GET    /portal/assets/:assetId/usages                                             assets:read
GET    /portal/assets/archive/:archiveId                                          assets:read
GET    /portal/assets/creators                                                    assets:read
GET    /portal/assets/folders                                                     assets:read
GET    /portal/assets/folders/download                                            assets:read
GET    /portal/assets/tags                                                        assets:read
GET    /portal/assets/trash                                                       assets:read
GET    /portal/assets/trash/:assetId/preview                                      assets:read
GET    /portal/assets/upload-session/:sessionId                                   assets:write
GET    /portal/audit                                                              audit:read
GET    /portal/events                                                             assets:read
GET    /readyz                                                                    public
GET    /status                                                                    public
GET    /{*path}                                                                   public
PATCH  /admin/clients/:clientId                                                   clients:manage
PATCH  /admin/clients/:clientId/assets                                            assets:write
PATCH  /admin/clients/:clientId/assets/:assetId                                   assets:write
PATCH  /admin/clients/:clientId/assets/folders                                    assets:write
PATCH  /admin/clients/:clientId/targets/:targetId                                 targets:manage
PATCH  /admin/users/:userId                                                       portal-users:manage
PATCH  /agents/clients/:clientId/social/folders                                   social:organize
PATCH  /auth/me                                                                   authenticated
PATCH  /portal/assets                                                             assets:write
PATCH  /portal/assets/:assetId                                                    assets:write
PATCH  /portal/assets/folders                                                     assets:write
POST   /admin/api-keys                                                            api-keys:manage
POST   /admin/clients                                                             clients:manage
POST   /admin/clients/:clientId/assets/archive                                    assets:read
POST   /admin/clients/:clientId/assets/bulk                                       assets:write
POST   /admin/clients/:clientId/assets/folders                                    assets:write
POST   /admin/clients/:clientId/assets/trash/restore                              assets:write
POST   /admin/clients/:clientId/assets/upload-session                             assets:write
POST   /admin/clients/:clientId/assets/upload-session/:sessionId/renew            assets:write
POST   /admin/clients/:clientId/assets/upload-session/finalize                    assets:write
POST   /admin/clients/:clientId/deliveries                                        deliveries:write
POST   /admin/clients/:clientId/deliveries/:deliveryId/cancel                     deliveries:write
POST   /admin/clients/:clientId/deliveries/:deliveryId/retry                      deliveries:write
POST   /admin/clients/:clientId/deliveries/batch                                  deliveries:write
POST   /admin/clients/:clientId/landing-pages                                     diagnostics:manage
POST   /admin/clients/:clientId/targets                                           targets:manage
POST   /admin/clients/:clientId/targets/:targetId/verify                          targets:manage
POST   /admin/diagnostics/storage                                                 diagnostics:manage
POST   /admin/picker-tokens                                                       assets:read
POST   /admin/users                                                               portal-users:manage
POST   /admin/users/:userId/reset-link                                            portal-users:manage
POST   /agents/clients/:clientId/assets/pick                                      assets:resolve
POST   /agents/clients/:clientId/assets/resolve                                   assets:resolve
POST   /agents/clients/:clientId/deliveries                                       deliveries:write
POST   /agents/clients/:clientId/social/folders                                   social:organize
POST   /agents/clients/:clientId/social/posted                                    social:organize
POST   /agents/mcp                                                                assets:resolve
POST   /auth/invitations/accept                                                   public
POST   /auth/invitations/check                                                    public
POST   /auth/login                                                                public
POST   /auth/logout                                                               authenticated
POST   /auth/password                                                             authenticated
POST   /auth/password/forgot                                                      public
POST   /auth/picker                                                               public
POST   /auth/refresh                                                              public
POST   /auth/token                                                                public
POST   /portal/assets/archive                                                     assets:read
POST   /portal/assets/bulk                                                        assets:write
POST   /portal/assets/folders                                                     assets:write
POST   /portal/assets/trash/restore                                               assets:write
POST   /portal/assets/upload-session                                              assets:write
POST   /portal/assets/upload-session/:sessionId/renew                             assets:write
POST   /portal/assets/upload-session/finalize                                     assets:write
PUT    /admin/:provider-ads/connections/:connectionId                             diagnostics:report
PUT    /admin/clients/:clientId/integrations/:kind                                diagnostics:manage
PUT    /agents/clients/:clientId/references/:kind/:externalId                     references:write
PUT    /agents/seo/:agentId/runtime                                               diagnostics:report
`;

/** What a picker in another page can use, besides the public routes. It only has the permissions of the admin side. */
const IN_PICKER = `
DELETE P/upload-session/:sessionId
GET P
GET P/:assetId/preview
GET P/folders
GET P/tags
GET P/upload-session/:sessionId
POST P/upload-session
POST P/upload-session/:sessionId/renew
POST P/upload-session/finalize
`;

describe('The route table', () => {
  it('opens exactly these routes to pickers', async () => {
    const open = (await listRouteRules()).filter(({ inPicker }) => inPicker);
    const lines = open.map(
      ({ method, path }) =>
        `${method} ${path.replace(/^(\/admin\/clients\/:clientId|\/portal)\/assets/, 'P')}`,
    );
    expect([...new Set(lines)].sort()).toEqual(IN_PICKER.trim().split('\n'));
  });

  it('is exactly this', async () => {
    const lines = (await listRouteRules()).map(({ method, path, rule }) => `${method} ${path} ${rule}`);
    const expected = ROUTES.trim()
      .split('\n')
      .map((line) => line.replace(/ +/g, ' '));
    expect(lines.sort()).toEqual(expected);
  });
});
